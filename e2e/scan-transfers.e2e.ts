import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { aBurnedInFile, nameBox } from './support/burnedInObject.ts'
import { getAccountState } from './support/deployment.ts'
import { freshUid } from './support/dicomFile.ts'
import { expectRings } from './support/focusRings.ts'
import { details, expect, test } from './support/journey.ts'
import { deleteCopies, deleteScans } from './support/marked.ts'
import { noteTransfer, settled } from './support/page.ts'

/** The folder that takes the picture of docs/screens.md. */
const documents = process.env.E2E_PICTURES
/** The folder that takes pictures of the screens at each width; none without it. */
const folder = process.env.E2E_HELD_PICTURES

async function takePictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of folder ? (['light', 'dark'] as const) : [])
    for (const width of [1920, 1280, 768, 360]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Drags over the name, in the pixels of the picture. */
async function drawOverName(page: Page): Promise<void> {
  const layer = page.getByRole('group', { name: 'Rectangles on the picture' })
  await layer.scrollIntoViewIfNeeded()
  const box = (await layer.boundingBox())!
  const [across, down] = [box.width / 320, box.height / 240]
  const { x, y, width, height } = nameBox
  await page.mouse.move(box.x + (x - 4) * across, box.y + (y - 4) * down)
  await page.mouse.down()
  await page.mouse.move(box.x + (x + width) * across, box.y + (y + height / 2) * down, { steps: 4 })
  await page.mouse.move(box.x + (x + width) * across, box.y + (y + height) * down, { steps: 4 })
  await page.mouse.up()
}

async function transfer(page: Page, patientID: string, organization: string): Promise<void> {
  await page.goto('/scan')
  await page.getByRole('searchbox', { name: 'Search' }).fill(patientID)
  await expect(page.getByRole('table', { name: 'Scans' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('table', { name: 'Scans' }).getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Batch Transfer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Batch Transfer' })
  await dialog.getByLabel('Destination organization name').fill(organization)
  await expect(dialog.getByText('wait until somebody has looked at them')).toBeVisible()
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
}

test.describe('transfers', { tag: '@scan' }, () => {
  // One after the other: a list of transfers is of one person, who is the same in both and sends nothing elsewhere.
  test.describe.configure({ mode: 'default' })

  test(
    'scans are transferred, seen from everywhere, and arrive without the names [5.12, 8.09, P22]',
    details({
      needs: ['admin', 'southAdmin', "admin's scans", 'transfer', 'remote-scan', 'remote-complaint'],
      writes: 'a de-identified copy of a scan in the organization of E2E_SOUTHADMIN, who deletes it at the end',
    }),
    async ({ as, another, gates, undo }) => {
      // Several people and pages: slow machines need the time.
      test.slow()
      gates.expectStatus(404, '/Scan/findDestination')
      const { organization, organizationId } = getAccountState('southAdmin')
      const page = await as('admin', '/scan')
      const sent = noteTransfer(page)
      undo('the copy', async (callAs) =>
        deleteCopies(await callAs('admin'), await callAs('southAdmin'), organizationId, sent.id),
      )
      const row = page.getByRole('table', { name: 'Scans' }).getByRole('row').nth(1)
      const name = await row.locator('.scan-name bdi').innerText()
      await row.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Batch Transfer' }).click()
      const dialog = page.getByRole('dialog', { name: 'Batch Transfer' })
      await expect(dialog.getByLabel('Anonymize')).toBeChecked()
      await dialog.getByLabel('Destination organization name').fill('Nowhere')
      await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
      await expect(dialog.getByRole('alert')).toBeVisible()
      await dialog.getByLabel('Destination organization name').fill(organization)
      await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
      await expect(page.getByText('Successfully initiated Batch Transfer')).toBeVisible()
      await page.getByRole('navigation').getByRole('link', { name: 'Complaint' }).click()
      await expect(page.getByText(`The transfer to ${organization} is complete`)).toBeVisible({ timeout: 20_000 })
      // The server knows it, so that the page may be loaded anew [P78].
      await page.reload()
      await page.getByRole('button', { name: /^Tasks/ }).click()
      await page
        .getByRole('dialog', { name: 'Tasks' })
        .getByRole('link', { name: `Transfer to ${organization}` })
        .first()
        .click()
      await page.getByRole('table', { name: 'Transfers' }).getByRole('button', { name: 'Details' }).first().click()
      await page.getByRole('button', { name: 'Show what was removed' }).click()
      await expect(page.getByLabel('Report of what was removed')).toHaveValue(/PatientName/)
      await expect.poll(() => sent.copies).toHaveLength(1)
      const theirs = await another('southAdmin', `/scan/detail/${organizationId}/${sent.copies[0]}`)
      await expect(theirs.getByRole('group', { name: 'Patient' })).toBeVisible()
      await expect(theirs.getByRole('main')).not.toContainText(name)
    },
  )

  test(
    'a name in the pixels is seen, blackened by mouse and keys, and the copy goes without it [P29, P36]',
    details({
      needs: ['admin', 'southAdmin', 'transfer', 'remote-scan'],
      writes: 'a scan in the organization of E2E_ADMIN, and its copy in that of E2E_SOUTHADMIN; both are deleted',
    }),
    async ({ as, undo }) => {
      test.slow()
      const patientID = `H-${Date.now()}`
      const south = getAccountState('southAdmin')
      undo('the scan', async (callAs) =>
        deleteScans(await callAs('admin'), getAccountState('admin').organizationId, patientID),
      )
      undo('the wait, where the journey ended early', async (callAs) => {
        const call = await callAs('admin')
        const waiting = await call<{ id: string }[]>('GET', 'Scan/listHeld?search=Journey%2C%20Held')
        const nothing = { decision: 'LeaveOut', revision: '', masks: [], leftOut: [], isSeenElsewhere: false }
        for (const { id } of waiting) await call('PUT', `Scan/decideHeld/${id}`, nothing)
      })
      const identity = { patientName: 'Journey^Held', patientID, studyUID: freshUid(), seriesUID: freshUid() }
      const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
      const page = await as('admin', '/scan/upload')
      const sent = noteTransfer(page)
      undo('the copy', async (callAs) =>
        deleteCopies(await callAs('admin'), await callAs('southAdmin'), south.organizationId, sent.id),
      )
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([file('1.dcm', aBurnedInFile(identity, 1)), file('2.dcm', aBurnedInFile(identity, 2, 3))])
      await expect(page.getByRole('heading', { name: 'Upload finished' })).toBeVisible({ timeout: 20_000 })
      await transfer(page, patientID, south.organization)
      await expect(page.getByText(/waits: 2 pictures may show text/)).toBeVisible({ timeout: 20_000 })

      await page.getByRole('button', { name: 'Held pictures', exact: true }).click()
      // Both pages have a search.
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Held pictures')
      await page.getByRole('searchbox', { name: 'Search' }).fill('Journey, Held')
      await expect(page.getByRole('link', { name: 'Journey, Held' })).toHaveCount(1)
      await takePictures(page, 'list')
      await page.getByRole('link', { name: 'Journey, Held' }).click()
      const picture = page.getByRole('region', { name: 'Picture' })
      await expect(picture.getByRole('img', { name: 'Picture 1' })).toBeVisible()
      const send = page.getByRole('button', { name: /send$/ })
      await expect(send).toBeDisabled()

      await drawOverName(page)
      const drawn = page.getByRole('button', { name: /^Rectangle 1: / })
      await expect(drawn).toBeVisible()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await settled(page)
        const { violations } = await new AxeBuilder({ page })
          .setLegacyMode(true)
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
          .analyze()
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      }
      await expectRings(page, 'held pictures')
      await takePictures(page, 'look')
      await page.setViewportSize({ width: 1280, height: 800 })
      if (documents) await page.screenshot({ path: `${documents}/scan-held.png` })
      // By the keyboard: wider and moved, then exact by number.
      const before = await drawn.getAttribute('aria-label')
      await drawn.focus()
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('ArrowLeft')
      await expect(drawn).not.toHaveAttribute('aria-label', before ?? '')
      await page.getByLabel('Height', { exact: true }).fill('40')
      await expect(drawn).toHaveAccessibleName(/40 high/)

      // What was chosen is there after the page was closed.
      await expect(page.getByText('Saving …')).toHaveCount(0)
      await page.reload()
      await expect(drawn).toHaveAccessibleName(/40 high/)
      await picture.getByRole('button', { name: 'Next', exact: true }).click()
      await expect(picture.getByRole('img', { name: 'Picture 2, frame 1' })).toBeVisible()
      await expect(drawn).toBeVisible()
      await picture.getByRole('slider').fill('3')
      await expect(picture.getByRole('img', { name: 'Picture 2, frame 3' })).toBeVisible()
      await page.setViewportSize({ width: 360, height: 740 })
      await expect
        .poll(() => page.getByRole('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
        .toBeLessThanOrEqual(0)
      await page.setViewportSize({ width: 1280, height: 900 })

      await expect(send).toHaveText('Mask and send')
      await send.click()
      const dialog = page.getByRole('dialog', { name: 'Send the scan' })
      await expect(dialog).toContainText('1 rectangle, in 2 pictures')
      await takePictures(page, 'confirm')
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(page.getByText(`The scan is on its way to ${south.organization}`)).toBeVisible()

      await page.goto('/scan')
      const transfers = page.getByRole('table', { name: 'Transfers' })
      await expect(transfers.getByRole('row').nth(1)).toContainText('Done', { timeout: 20_000 })
      await transfers.getByRole('button', { name: 'Details' }).first().click()
      await page.getByRole('button', { name: 'Show what was removed' }).click()
      await expect(page.getByLabel('Report of what was removed')).toHaveValue(
        /2 × picture with rectangles blackened \(1 drawn/,
      )
    },
  )
})
