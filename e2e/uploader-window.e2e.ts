import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { violations } from './support/axe.ts'
import { aDicomFile, freshUid } from './support/dicomFile.ts'
import { details, expect, test } from './support/journey.ts'

const root = join(import.meta.dirname, '..')

interface Uploader {
  readonly folder: string
  readonly address: string
  stop(): Promise<void>
}

/** The uploader's window as people start it, which is connected to nothing yet, or to this server. */
async function startUploader(server?: string): Promise<Uploader> {
  const folder = mkdtempSync(join(tmpdir(), 'uploader-window-'))
  const words = ['--disable-warning=ExperimentalWarning', join(root, 'uploader/src/main.ts')]
  const child = spawn(process.execPath, [...words, 'window', '--no-open', '--state', join(folder, 'state')], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ...(server && { UPLOADER_SERVER: server, UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}` }),
    },
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

interface Store {
  readonly address: string
  /** All that ever came. */
  heard(): string
  close(): void
}

const refusal = 'The pixel data are shorter than rows, columns and frames need.'

/** A server that takes every object by STOW-RS, or refuses every one. */
async function openStore({ isRefusing = false } = {}): Promise<Store> {
  let heard = ''
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const body = Buffer.concat(chunks).toString('latin1')
      heard += `${request.url} ${request.rawHeaders.join(' ')} ${body}`
      const objects = body.split('DICM').length - 1
      if (request.url !== '/dicom-web/studies' || objects === 0) return response.writeHead(400).end('{}')
      const toItem = (_: unknown, at: number): object =>
        isRefusing
          ? {
              '00091001': { vr: 'CS', Value: ['PIXEL_DATA'] },
              '00091002': { vr: 'IS', Value: [at + 1] },
              '00091003': { vr: 'LT', Value: [refusal] },
            }
          : {}
      const Value = Array.from({ length: objects }, toItem)
      response.writeHead(isRefusing ? 409 : 200, { 'content-type': 'application/dicom+json' })
      return response.end(JSON.stringify({ [isRefusing ? '00081198' : '00081199']: { vr: 'SQ', Value } }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, heard: () => heard, close: () => void server.close() }
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
    await expect(page.getByText('Put into the queue: 3.')).toBeVisible()
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
    const missing = join(uploader.folder, 'nowhere')
    const scans = join(uploader.folder, 'scans')
    mkdirSync(scans)
    const path = chooser.getByRole('textbox', { name: 'Path of a folder' })
    await path.fill(missing)
    await path.press('Enter')
    await expect(chooser.getByText(`${missing} cannot be read.`)).toBeVisible()
    await path.fill(scans)
    await path.press('Enter')
    await expect(chooser.locator('#at')).toHaveText(scans)
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

  test('says that the uploader does not answer, and no longer once it does [P56]', details({}), async ({ browser }) => {
    const page = await browser.newPage()
    await page.goto(uploader.address)
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await page.route('**/state', (route) => route.abort())
    await expect(page.getByRole('alert')).toContainText('The uploader does not answer.')
    await page.unroute('**/state')
    await expect(page.getByText('The uploader does not answer.')).toBeHidden()
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

test(
  'the window says by patient and series what went in, and nobody’s name leaves it [P56, P80]',
  details({ tag: ['@uploader', '@desktop'] }),
  async ({ browser }) => {
    const store = await openStore()
    const uploader = await startUploader(store.address)
    const put = (name: string, patientName: string, cuts: readonly number[]): string => {
      const folder = join(uploader.folder, name)
      mkdirSync(folder)
      const identity = { patientName, patientID: `ID-${name}`, studyUID: freshUid(), seriesUID: freshUid() }
      for (const [at, cut] of cuts.entries())
        writeFileSync(join(folder, `${at}.dcm`), aDicomFile(identity, 16, at + 1).subarray(0, cut))
      return folder
    }
    try {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(uploader.address)
      await page.getByRole('checkbox', { name: 'De-identify what is sent' }).check()
      const section = page.getByRole('region', { name: 'De-identification' })
      await section.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('What is sent is de-identified first.')).toBeVisible()
      await page.locator('#drop').scrollIntoViewIfNeeded()
      await drop(page, '#drop', [put('one', 'Alpine^Anna', [1e6, 1e6]), put('two', 'Borealis^Bert', [1e6, -50])])
      const rows = page.getByRole('region', { name: 'Series' }).getByRole('listitem')
      await expect(rows.filter({ hasText: 'Alpine, Anna · ID-one' })).toContainText('2 of 2 sent · Everything is sent')
      await expect(rows.filter({ hasText: 'Borealis, Bert · ID-two' })).toContainText(
        '1 of 2 sent · 1 refused · Not everything was sent',
      )
      expect(await violations(page)).toEqual([])
      for (const word of ['Alpine', 'Borealis', 'ID-one', 'ID-two']) expect(store.heard()).not.toContain(word)
      await context.close()
    } finally {
      await uploader.stop()
      store.close()
    }
  },
)

for (const { language, region, sentence, files } of [
  {
    language: 'de',
    region: 'Was nicht gelang',
    sentence: 'Die Bilddaten passen nicht zu dem, was die Datei über sie sagt.',
    files: 'Dateien: 2',
  },
  {
    language: 'ar',
    region: 'ما فشل',
    sentence: 'بيانات البكسل لا توافق ما يذكره الملف عنها.',
    files: 'الملفات: 2',
  },
])
  test(
    `the window says in ${language}, once for a study, why its files were refused, and what the server said [P56]`,
    details({ tag: ['@uploader', '@desktop'] }),
    async ({ browser }) => {
      const store = await openStore({ isRefusing: true })
      const uploader = await startUploader(store.address)
      try {
        const context = await browser.newContext({ locale: language, viewport: { width: 360, height: 800 } })
        const page = await context.newPage()
        await page.goto(uploader.address)
        const folder = join(uploader.folder, 'CT')
        mkdirSync(folder)
        const study = { patientName: 'Alpine^Anna', patientID: 'P-1', studyUID: freshUid(), seriesUID: freshUid() }
        for (const at of [1, 2]) writeFileSync(join(folder, `${at}.dcm`), aDicomFile(study, 16, at))
        await drop(page, '#drop', [folder])
        const failures = page.getByRole('region', { name: region }).getByRole('listitem')
        await expect(failures).toContainText(['Alpine, Anna'])
        for (const said of [sentence, refusal, files]) await expect(failures.first()).toContainText(said)
        await expect(failures).toHaveCount(1)
        expect(await violations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
        await context.close()
      } finally {
        await uploader.stop()
        store.close()
      }
    },
  )
