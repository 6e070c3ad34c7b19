import type { Locator, Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { goToViewer, openViewer, position } from './support/imageViewer.ts'
import { details, expect, test } from './support/journey.ts'

const grey = (page: Page): Locator => page.locator('.corner.bottom-right p').first()

/** How bright the picture is on average, 0 to 255. */
const brightness = (page: Page, picture = '.picture canvas'): Promise<number> =>
  page
    .locator(picture)
    .first()
    .evaluate((drawn: HTMLCanvasElement | HTMLImageElement) => {
      const copy = document.createElement('canvas')
      copy.width = copy.height = 64
      const pen = copy.getContext('2d')!
      pen.drawImage(drawn, 0, 0, 64, 64)
      const pixels = pen.getImageData(0, 0, 64, 64).data
      return pixels.reduce((sum, value, at) => (at % 4 === 0 ? sum + value : sum), 0) / (pixels.length / 4)
    })

async function drag(page: Page, target: Locator, across: number, down: number): Promise<void> {
  const box = (await target.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + across, y + down, { steps: 8 })
  await page.mouse.up()
}

/** How far the worst of the pictures is from its true proportions; 0 is none. */
const distortion = (page: Page): Promise<number> =>
  page.locator('.picture canvas').evaluateAll((all) =>
    Math.max(
      ...all.map((one) => {
        const canvas = one as HTMLCanvasElement
        return Math.abs(1 - canvas.width / canvas.height / (canvas.clientWidth / canvas.clientHeight))
      }),
    ),
  )

type Point = [number, number]

/** Moves fingers over the picture, from and to places counted from its middle. */
async function fingers(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
  const box = (await page.locator('.picture').first().boundingBox())!
  const hand = await page.context().newCDPSession(page)
  const at = (share: number) =>
    from.map(([x, y], finger) => ({
      id: finger,
      x: box.x + box.width / 2 + x + (to[finger]![0] - x) * share,
      y: box.y + box.height / 2 + y + (to[finger]![1] - y) * share,
    }))
  await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  // Cornerstone waits a moment to see how many fingers there are.
  for (let step = 1; step <= 8; step += 1) {
    await page.waitForTimeout(40)
    await hand.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 8) })
  }
  await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

const viewing = details({ needs: ['staff', 'viewable scan', 'stack', 'quick viewer'], tag: '@viewer' })

test.describe('the image viewer', viewing, () => {
  test('shows the middle slice first, without session id or patient in address and title [7.42, P23]', async ({
    page,
  }) => {
    const scan = await openViewer(page)
    await expect(page).not.toHaveURL(/sessionId/i)
    expect(await page.title()).toMatch(/^Image viewer( · Data Management Platform)?$/)
    await expect(position(page)).toHaveText(`${Math.floor(scan.noOfImages / 2) + 1} / ${scan.noOfImages}`)
    await expect(page.getByText('Not for diagnostic use')).toBeVisible()
    await expect.poll(() => brightness(page)).toBeGreaterThan(3)
  })

  test('goes through the slices by wheel, keys and slider, and says where it is [7.42, P29]', async ({ page }) => {
    const { noOfImages: count } = await openViewer(page)
    const middle = Math.floor(count / 2) + 1
    await page.locator('.picture').first().hover()
    await page.mouse.wheel(0, 120)
    await expect(position(page)).toHaveText(`${middle + 1} / ${count}`)
    await page.keyboard.press('ArrowUp')
    await expect(position(page)).toHaveText(`${middle} / ${count}`)
    await page.keyboard.press('End')
    await expect(position(page)).toHaveText(`${count} / ${count}`)
    await page.getByRole('slider', { name: 'Slice' }).fill('1')
    await expect(position(page)).toHaveText(`1 / ${count}`)
    await expect(page.getByRole('status')).toContainText(`Slice 1 of ${count}`)
  })

  test('changes window and polarity, and comes back [7.42]', async ({ page }) => {
    await openViewer(page)
    const before = await grey(page).textContent()
    const light = await brightness(page)
    await drag(page, page.locator('.picture').first(), 80, 40)
    await expect(grey(page)).not.toHaveText(before!)
    const invert = page.getByRole('button', { name: 'Invert' })
    await page.keyboard.press('i')
    await expect(invert).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('r')
    await expect(grey(page)).toHaveText(before!)
    await expect(invert).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(async () => Math.abs((await brightness(page)) - light)).toBeLessThan(2)
  })

  test('turns, mirrors, zooms and fits the picture [7.42]', async ({ page }) => {
    await openViewer(page)
    const zoom = page.locator('.corner.bottom-right p').nth(1)
    await page.keyboard.press('+')
    await expect(zoom).toHaveText('Zoom 1.25×')
    await page.getByRole('button', { name: 'Fit to window' }).click()
    await expect(zoom).toHaveText('Zoom 1.00×')
    const [left, right] = [page.locator('.edge.left'), page.locator('.edge.right')]
    const [wasLeft, wasRight] = [await left.textContent(), await right.textContent()]
    await page.getByRole('button', { name: 'Flip left to right' }).click()
    await expect(left).toHaveText(wasRight!)
    await expect(right).toHaveText(wasLeft!)
    await page.getByRole('button', { name: 'Rotate right' }).click()
    await expect(page.locator('.edge.top')).toHaveText(wasRight!)
  })

  test('measures a length, and deletes it [7.42]', async ({ page }) => {
    await openViewer(page)
    await page.getByRole('button', { name: 'Length' }).click()
    await drag(page, page.locator('.picture').first(), 150, 60)
    const label = page.locator('.picture svg text')
    await expect(label).toHaveText(/^\d+(\.\d+)? (mm|px)$/)
    await page.getByRole('button', { name: 'Delete measurement' }).click()
    await expect(label).toHaveCount(0)
  })

  test('gives a half-made measurement up for Escape, another tool or the wheel [7.42]', async ({ page }) => {
    const { noOfImages: count } = await openViewer(page)
    const middle = Math.floor(count / 2) + 1
    const picture = page.locator('.picture').first()
    const lines = page.locator('.picture svg line')
    await picture.hover()
    for (const giveUp of [
      () => page.keyboard.press('Escape'),
      () => page.keyboard.press('w'),
      () => page.mouse.wheel(0, 120),
    ]) {
      await page.keyboard.press('l')
      await picture.click()
      await expect(lines).not.toHaveCount(0)
      await giveUp()
      await expect(lines).toHaveCount(0)
    }
    await expect(position(page)).toHaveText(`${middle + 1} / ${count}`)
    await page.mouse.wheel(0, -120)
    await expect(position(page)).toHaveText(`${middle} / ${count}`)
  })

  test('plays a stack [7.42]', async ({ page }) => {
    await openViewer(page)
    const before = await position(page).textContent()
    const play = page.getByRole('button', { name: 'Play' })
    await play.click()
    await expect(play).toHaveAttribute('aria-pressed', 'true')
    await expect(position(page)).not.toHaveText(before!)
    await play.click()
    await expect(play).toHaveAttribute('aria-pressed', 'false')
  })

  test('shows one, two and four pictures [7.42]', async ({ page }) => {
    await openViewer(page)
    for (const [name, count] of [
      ['2×2', 4],
      ['1×2', 2],
      ['1×1', 1],
    ] as const) {
      await page.getByRole('button', { name }).click()
      // The study has one series: what has none of its own stays empty, but for the patient's earlier study in 1×2.
      await expect(page.locator('.pane')).toHaveCount(count)
      // A canvas of another shape than its place would show the body wider or narrower than it is.
      await expect.poll(() => distortion(page), { message: `${name} without distortion` }).toBeLessThan(0.01)
    }
    await page.setViewportSize({ width: 700, height: 900 })
    await expect.poll(() => distortion(page), { message: 'without distortion after a resize' }).toBeLessThan(0.01)
  })

  test('names the patient, finds the other studies and opens one beside, by the list of all commands too [7.42, P79]', async ({
    page,
  }) => {
    await openViewer(page)
    const patient = page.getByRole('group', { name: 'Patient' })
    await expect(patient).toContainText(/ID .+Born \d{4}-\d\d-\d\d/)
    const others = page.locator('.priors > ul > li > button')
    await expect(others.first()).toBeVisible()
    await others.first().click()
    await expect(page.locator('.pane')).toHaveCount(2)
    await expect(
      page
        .locator('.pane')
        .nth(1)
        .getByText(/^(?:Earlier|Later) study$/),
    ).toBeVisible()
    await expect(page.locator('.pane:not(.empty)')).toHaveCount(2)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'All commands' }).fill('length')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Length' })).toHaveAttribute('aria-pressed', 'true')
    expect(await violations(page, 'best-practice')).toEqual([])
  })

  test('says so when access has ended [7.42, P28]', async ({ page, gates }) => {
    await openViewer(page)
    gates.expectStatus(401, '/dicom-web/')
    await page.context().clearCookies()
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('Your session has expired')
  })

  test('keeps what is here when the connection is lost, and goes on when it is back [7.42, P28]', async ({
    page,
    gates,
  }) => {
    gates.expectFailure('/frames/')
    // The line is lost behind the first pictures, however quick the machine is.
    let isCut = true
    let asked = 0
    await page.route('**/frames/*', async (route) => {
      asked += 1
      await (isCut && asked > 3 ? route.abort('connectionfailed') : route.continue())
    })
    const { noOfImages: count } = await openViewer(page)
    await expect(page.getByRole('alert')).toContainText('Connection lost')
    await page.getByRole('button', { name: 'Try again' }).focus()
    isCut = false
    // The banner may be gone by now: the viewer tries by itself as well.
    await page.keyboard.press('Enter')
    await expect(page.locator('.corner.bottom-left')).toHaveText(new RegExp(`^\\d+ / ${count}$`), { timeout: 20_000 })
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('is accessible, with its help open too [7.42, P29]', { tag: '@a11y' }, async ({ page }) => {
    await openViewer(page)
    expect(await violations(page, 'best-practice')).toEqual([])
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard and mouse' })).toBeVisible()
    expect(await violations(page, 'best-practice')).toEqual([])
  })

  test("shows the server's drawing of that slice until its own code is here [7.42]", async ({ page }) => {
    const held = Promise.withResolvers<void>()
    await page.route(/\/cornerstone\.[^/]*js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    const { noOfImages } = await goToViewer(page)
    const preview = page.getByRole('img', { name: /^Preview of / })
    await expect(preview).toBeVisible()
    await expect(page.getByRole('status')).toContainText(
      `Slice ${Math.floor(noOfImages / 2) + 1} of ${noOfImages}. Loading the viewer …`,
    )
    expect(await violations(page, 'best-practice')).toEqual([])
    expect(await brightness(page, '.preview img')).toBeGreaterThan(3)
    // Longer than a part of the application may take: this is a phone's line, and no failure.
    await page.waitForTimeout(6000)
    held.resolve()
    await expect(preview).toHaveCount(0)
    await expect.poll(() => brightness(page)).toBeGreaterThan(3)
  })

  test(
    'works on a phone: one finger scrolls, two zoom, nothing is cut off [7.42, P29]',
    { tag: ['@mobile', '@a11y'] },
    async ({ page }) => {
      const { noOfImages: count } = await openViewer(page)
      await expect(position(page)).toHaveText(`${Math.floor(count / 2) + 1} / ${count}`)
      await expect(page.getByRole('button', { name: 'Scroll' })).toHaveAttribute('aria-pressed', 'true')
      await fingers(page, [[0, 0]], [[0, 60]])
      await expect(position(page)).not.toHaveText(`${Math.floor(count / 2) + 1} / ${count}`)
      await fingers(
        page,
        [
          [-20, 0],
          [20, 0],
        ],
        [
          [-90, 0],
          [90, 0],
        ],
      )
      await expect(page.locator('.corner.bottom-right p').nth(1)).not.toHaveText('Zoom 1.00×')
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      // What has no room in the toolbar is in the list of all commands.
      await expect(page.getByRole('button', { name: '1×2' })).toBeHidden()
      await page.getByRole('button', { name: 'All commands' }).tap()
      await page.getByRole('option', { name: '1×2' }).tap()
      await expect(page.locator('.pane')).toHaveCount(2)
      expect(await violations(page, 'best-practice')).toEqual([])
    },
  )
})
