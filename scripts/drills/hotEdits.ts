import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { openEditedPage, type EditedPage } from '../../e2e/bench/editedPage.ts'
import { startEditedProduct, type EditedProduct } from '../dev/editedProduct.ts'
import { beginRequests } from '../dev/ongoingRequests.ts'
import { beginUpload } from '../dev/ongoingUpload.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { root } from '../workspace/files.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { readFirstChange } from './firstChange.ts'
import type { DocumentStep } from './documentSteps.ts'

/** An edit that an open page takes in place; what is new on the page has the word "edited" in it. */
export interface HotEdit {
  readonly part: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** What the page then shows. */
  readonly text: string
  /** What the running code has of it, where the page puts it together. */
  readonly code?: string
}

const screen = 'remote-complaint/src/add/ComplaintAddScreen.tsx'

export const hotEdits: readonly HotEdit[] = [
  { part: 'remote', file: screen, from: '"Make a complaint"', to: '"Tell us, edited"', text: 'Tell us, edited' },
  { part: 'host', file: 'host/src/shell/Footer.tsx', from: 'Terms Of Use', to: 'Terms, edited', text: 'Terms, edited' },
  {
    part: 'kit',
    file: 'shared/kit/src/screen/Section.tsx',
    from: 'title\n          )',
    to: '`${title}, edited`\n          )',
    text: 'Complaint, edited',
    code: '}, edited',
  },
  {
    part: 'contract',
    file: 'shared/contract/src/moduleAliases.ts',
    from: "Complaint: 'Complaint',",
    to: "Complaint: 'Grievance, edited',",
    text: 'Grievance, edited',
  },
]

/**
 * `npm run dev` in a copy of the checkout, edited while a page is open: what can be taken in place is, with the page's
 * state; what cannot reloads the page; what is wrong is said on the page until it is mended; the server starts anew.
 */
export async function editHot(): Promise<TestTotals> {
  const product = await startEditedProduct()
  const browser = await openBrowser(await findBrowser())
  const failures: string[] = []
  let passed = 0
  try {
    const page = await openEditedPage(browser, product.url)
    for (const [name, step] of listSteps(product, page)) {
      const problems = await step().catch((error: unknown) => [String(error)])
      if (problems.length === 0) passed += 1
      console.log(`  ${problems.length === 0 ? '✓' : '✗'} ${name}`)
      failures.push(...problems.map((problem) => `${name}: ${problem}`))
    }
    await page.close()
  } finally {
    await browser.close()
    await product.stop()
  }
  return { passed, failed: failures.length, failures }
}

type Step = readonly [name: string, run: () => Promise<string[]>]

const listSteps = (product: EditedProduct, page: EditedPage): readonly Step[] => [
  ...hotEdits.map(({ part, file, from, to, text }): Step => [
    `an edit of ${part} is on the open page, which keeps what was typed`,
    async () => {
      product.edit(file, from, to)
      await page.shows(text)
      return page.losses()
    },
  ]),
  ["the browser's debugger shows each edited line in its source", () => showsSources(product, page)],
  ['two remotes edited at once are each on their page, which keeps what was typed', () => editsTwo(product, page)],
  [
    'a type error is said on the page, with its place, until it is mended',
    () => saysWrongType(product, page, screenError),
  ],
  ['so is one of the server', () => saysWrongType(product, page, serverError)],
  ['a build that fails is said on the page, with its place, until it is mended', () => saysBrokenSource(product, page)],
  [
    'a server that does not start is said on the page, with its place, until it is mended',
    () => saysNoServer(product, page),
  ],
  [
    'the server starts anew after an edit; session, requests, live channel and uploads go on',
    () => startsServerAnew(product, page),
  ],
  ['what cannot be taken in place loads the page anew, and the draft is there', () => loadsAnew(product, page)],
  ['a screen that an edit broke is back when it is mended, without a click', () => drawsAgain(product, page)],
  ['edits that are undone are gone from the open page', () => losesEdits(product, page)],
  [
    'an edit of the viewer is in the open one, at the same slice, window, zoom and tool',
    () => keepsViewer(product, page),
  ],
  ...readFirstChange()
    .filter(({ steps }) => steps.some(isChange))
    .map(({ title, steps }): Step => [
      `docs/first-change.md, "${title}", is on the page where it says so`,
      () => showsFirstChange(product, page, steps),
    ]),
]

async function drawsAgain(product: EditedProduct, page: EditedPage): Promise<string[]> {
  product.restore(screen)
  await page.shows('Make a complaint')
  product.edit(screen, '"Make a complaint"', '{((): string => { throw new Error("edited") })()}')
  await page.shows('Complaints cannot be shown right now')
  product.restore(screen)
  await page.shows('Make a complaint')
  return []
}

async function losesEdits(product: EditedProduct, page: EditedPage): Promise<string[]> {
  for (const { file } of hotEdits) product.restore(file)
  for (const { text } of hotEdits) await page.isWithout(text)
  return []
}

export const viewerEdit = {
  part: 'viewer',
  file: 'viewer/src/ui/commands.ts',
  from: "label: 'Invert',",
  to: "label: 'Invert, edited',",
  text: 'Invert, edited',
  /** What it shows without the edit. */
  shownBefore: 'Invert',
} as const

const viewerStyles = 'viewer/src/styles.css'

async function keepsViewer(product: EditedProduct, page: EditedPage): Promise<string[]> {
  const viewer = await page.openViewer()
  product.edit(viewerEdit.file, viewerEdit.from, viewerEdit.to)
  await viewer.shows(viewerEdit.text)
  const losses = await viewer.losses()
  product.edit(viewerStyles, '.page-head h1 {', '.page-head h1 {\n  color: rgb(1, 2, 3);')
  await viewer.isDrawnIn('rgb(1, 2, 3)')
  losses.push(...(await viewer.losses()))
  await viewer.openHelp()
  // Nothing is above it that could take it.
  product.edit('viewer/src/index.ts', 'let leave', '// Edited.\nlet leave')
  await viewer.isLoadedAnew()
  await viewer.losses()
  await viewer.close()
  return losses
}

/** The elements of a component are one generated line, which a map without columns shows where they begin. */
const mostLinesAbove = 16

/** Of the edits that are on the page, each of which left every line where it was. */
async function showsSources(product: EditedProduct, page: EditedPage): Promise<string[]> {
  const problems: string[] = []
  for (const { file, from, text, code = text } of hotEdits) {
    const source = readFileSync(join(root, file), 'utf8')
    const line = source.slice(0, source.indexOf(from)).split('\n').length
    const found = await page.findSource(code)
    const [, address = '', shown = ''] = /^(.*):(\d+)$/.exec(found) ?? []
    const isThere =
      address === product.addressOf(file) && line - mostLinesAbove <= Number(shown) && Number(shown) <= line
    if (!isThere) problems.push(`${file}:${line} is shown as ${found.slice(-200)}.`)
  }
  return problems
}

const isChange = ({ kind }: DocumentStep): boolean => kind === 'edit' || kind === 'create'

async function showsFirstChange(product: EditedProduct, page: EditedPage, steps: readonly DocumentStep[]) {
  for (const step of steps)
    if (step.kind === 'look') await page.showsAt(step.path, step.text)
    else if (step.kind !== 'run') product.change(step)
  return []
}

/** Saved together, as by an editor that replaces in all files. */
async function editsTwo(product: EditedProduct, page: EditedPage): Promise<string[]> {
  const profile = await page.openProfile()
  product.edit('remote-account/src/profile/ProfileSection.tsx', 'label="First name"', 'label="Given name, edited"')
  product.edit(screen, 'Tell us, edited', 'Tell us, edited beside another')
  await Promise.all([profile.shows('Given name, edited'), page.shows('Tell us, edited beside another')])
  const losses = [...(await profile.losses()), ...(await page.losses())]
  await profile.close()
  return losses
}

interface WrongType {
  readonly file: string
  readonly right: string
  readonly wrong: string
}

const screenError: WrongType = { file: screen, right: "name: 'Add'", wrong: 'name: 7' }
const health = 'server/src/http/health.ts'
const serverError: WrongType = {
  file: health,
  right: 'const checkTimeoutMs = 3000',
  wrong: "const checkTimeoutMs: number = '3000'",
}

async function saysWrongType(product: EditedProduct, page: EditedPage, error: WrongType): Promise<string[]> {
  const { file, right, wrong } = error
  product.edit(file, right, wrong)
  // Also where it is not said: the steps behind this one edit the same file.
  const said = await page.showsProblem('TS2322').finally(() => product.edit(file, wrong, right))
  await page.showsNoProblem()
  return [
    ...(new RegExp(`\\./${file} \\d+:\\d+`).test(said) ? [] : [`The place is missing: ${said}`]),
    ...(await page.losses()),
  ]
}

async function saysBrokenSource(product: EditedProduct, page: EditedPage): Promise<string[]> {
  product.edit(screen, '<Screen', '<Screen <')
  const said = await page.showsProblem('ComplaintAddScreen.tsx')
  product.edit(screen, '<Screen <', '<Screen')
  await page.showsNoProblem()
  return [
    ...(/ComplaintAddScreen\.tsx\(\d+,\d+\)/.test(said) ? [] : [`The place is missing: ${said}`]),
    ...(await page.losses()),
  ]
}

async function saysNoServer(product: EditedProduct, page: EditedPage): Promise<string[]> {
  const { file, right } = serverError
  product.edit(file, right, `${right} +`)
  const said = await page.showsProblem('SyntaxError')
  const answer = await fetch(`${product.url}/healthz`)
  const { message } = (await answer.json()) as { message?: string }
  product.restore(file)
  await page.showsNoProblem()
  while (!(await fetch(`${product.url}/healthz`)).ok);
  return [
    ...(said.includes(`./${file}`) ? [] : [`The place is missing: ${said}`]),
    ...(answer.status === 503 && message?.includes(`./${file}`) ? [] : [`A request is told: ${message}`]),
    ...(await page.losses()),
  ]
}

async function startsServerAnew(product: EditedProduct, page: EditedPage): Promise<string[]> {
  const upload = await beginUpload(product.url)
  const requests = await beginRequests(product.url)
  const channels = page.countChannels()
  // What earlier edits were answered with is told by their own steps.
  await page.refusals()
  for (const [before, status] of [
    ['up', 'up again'],
    ['up again', 'up for the third time'],
  ] as const) {
    product.edit(health, `status: '${before}'`, `status: '${status}'`)
    // Requests wait for the server; one that came before it stopped gets the old answer.
    while (!(await (await fetch(`${product.url}/healthz`)).text()).includes(status));
  }
  await page.hasChannelAfter(channels)
  const losses = [
    ...(await requests.end()),
    ...(await page.losses()),
    ...(await page.refusals()),
    ...(await upload.end()),
  ]
  await page.load()
  return losses
}

async function loadsAnew(product: EditedProduct, page: EditedPage): Promise<string[]> {
  const before = await page.losses()
  product.edit('shared/kit/src/ui/index.ts', 'export', '// Not a component.\nconsole.info("edited")\nexport')
  await page.isLoadedAnew()
  return (await page.losses()).filter((loss) => !before.includes(loss) && loss !== 'The page was loaded anew.')
}
