import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { details, expect, test } from './support/journey.ts'

const root = join(import.meta.dirname, '..')

interface Uploader {
  readonly folder: string
  readonly address: string
  stop(): Promise<void>
}

/** The uploader's window as people start it, which is connected to nothing yet. */
async function startUploader(): Promise<Uploader> {
  const folder = mkdtempSync(join(tmpdir(), 'uploader-window-'))
  const words = ['--disable-warning=ExperimentalWarning', join(root, 'uploader/src/main.ts')]
  const child = spawn(process.execPath, [...words, 'window', '--no-open', '--state', join(folder, 'state')], {
    env: { PATH: process.env.PATH, HOME: folder },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('close', done))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, address: await findAddress(child), stop }
}

function findAddress(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((found, failed) => {
    child.stdout?.on('data', (text: Buffer) => {
      said += text.toString()
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(said) ?? []
      if (address) found(address)
    })
    child.once('exit', () => failed(new Error(`The uploader ended: ${said}`)))
  })
}

/** What the browser does when somebody lets files and folders of the desktop go above a place. */
async function drop(page: Page, place: string, files: readonly string[]): Promise<void> {
  const box = await page.locator(place).boundingBox()
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20]
  const browser = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x, y, data })
}

const tabTo = async (page: Page, name: string): Promise<void> => {
  const target = page.getByRole('button', { name, exact: true })
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Nobody comes to “${name}” by Tab.`)
}

test.describe("the uploader's window", { tag: ['@uploader', '@desktop'] }, () => {
  let uploader: Uploader
  test.beforeEach(async () => {
    uploader = await startUploader()
  })
  test.afterEach(() => uploader.stop())

  test('takes files and whole folders that are dropped on it [P56]', details({}), async ({ browser }) => {
    const scans = join(uploader.folder, 'CT')
    mkdirSync(join(scans, 'series'), { recursive: true })
    for (const name of ['one.dcm', 'CT/two.dcm', 'CT/series/three.dcm'])
      writeFileSync(join(uploader.folder, name), `content of ${name}`)
    const page = await browser.newPage()
    await page.goto(uploader.address)
    await expect(page.getByRole('heading', { name: 'Drop files or folders here' })).toBeVisible()
    await drop(page, '#drop', [join(uploader.folder, 'one.dcm'), scans])
    await expect(page.getByText('3 files are in the queue.')).toBeVisible()
    const kept = readdirSync(join(uploader.folder, 'state/dropped'), { recursive: true }).map(String)
    expect(kept.toSorted()).toEqual(['CT', 'CT/series', 'CT/series/three.dcm', 'CT/two.dcm', 'one.dcm'])
    await page.close()
  })

  test('is worked by the keyboard alone [P56]', details({}), async ({ browser }) => {
    const page = await browser.newPage()
    await page.goto(uploader.address)
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await tabTo(page, 'Pause')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Paused', { exact: true })).toBeHidden()
    await tabTo(page, 'Watch a folder')
    await page.keyboard.press('Enter')
    const chooser = page.getByRole('dialog', { name: 'Watch a folder' })
    await expect(chooser).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(chooser).toBeHidden()
    await expect(page.getByRole('button', { name: 'Watch a folder' })).toBeFocused()
    // The next stops are the hours: on, how fast, from, to.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    const hours = page.getByRole('region', { name: 'Slower by day' })
    await expect(hours.getByRole('checkbox', { name: 'On' })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(hours.getByRole('status')).toHaveText('Saved.')
    await page.close()
  })

  for (const { language, width, colorScheme } of [
    { language: 'en', width: 1280, colorScheme: 'light' },
    { language: 'de', width: 360, colorScheme: 'dark' },
    { language: 'ar', width: 360, colorScheme: 'light' },
    { language: 'ar', width: 1280, colorScheme: 'dark' },
  ] as const)
    test(
      `is read by everybody in ${language} at ${width} px, ${colorScheme} [P56]`,
      details({ tag: ['@a11y'] }),
      async ({ browser }) => {
        const viewport = { width, height: 800 }
        const context = await browser.newContext({ locale: language, viewport, colorScheme })
        const page = await context.newPage()
        await page.goto(uploader.address)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
        await expect(page.locator('#state')).not.toBeEmpty()
        expect(await violations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        // Whatever can be worked has a name.
        for (const role of ['button', 'textbox', 'spinbutton', 'checkbox', 'combobox'] as const)
          await expect(page.getByRole(role, { name: /^\s*$/ })).toHaveCount(0)
        await context.close()
      },
    )
})
