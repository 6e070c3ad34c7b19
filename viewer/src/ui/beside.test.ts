import { getByRole, waitFor } from '@testing-library/dom'
import { tag } from '@dmp/dicom'
import { askedForPriors, inATabOfItsOwn, page, pressed, prior, priorSeries } from '../testing/page.ts'

inATabOfItsOwn()

const person = { [tag.PatientName]: { Value: [{ Alphabetic: 'DOE^JANE' }] }, [tag.PatientID]: { Value: ['P-1'] } }
const series = (uid: string, more: Partial<(typeof priorSeries)[string][number]> = {}) => ({
  uid,
  description: uid,
  modality: 'CT',
  bodyPart: 'CHEST',
  ...more,
})
const head = { description: 'Head', bodyPart: 'HEAD' }
const ofStudies = (place: HTMLElement) => [...place.querySelectorAll<HTMLButtonElement>('.priors > ul > li > button')]
const titles = (place: HTMLElement) =>
  [...place.querySelectorAll('.pane')].map(
    (pane) =>
      pane.querySelector('.corner.top-right p')?.textContent ?? pane.querySelector('.pane-notice p')!.textContent,
  )
/** The study has the series a, b and c of the chest; two other studies of the patient are found. */
const opened = async (more: Parameters<typeof page>[1] = {}, own: Record<string, number> = { a: 1, b: 1, c: 1 }) => {
  const all = await page(
    { ...own, p: 2, q: 3 },
    {
      more: person,
      series: Object.fromEntries(Object.keys(own).map((uid) => [uid, { description: uid, bodyPart: 'CHEST' }])),
      priors: [prior('9'), prior('8')],
      ...more,
    },
  )
  await all.says('1 / 1')
  await waitFor(() => expect(ofStudies(all.place).length).toBeGreaterThan(0))
  const choose = (number: number) => all.pane(number).dispatchEvent(new Event('pointerdown'))
  /** Its series is in the list once it was opened. */
  const openAgain = async () => {
    const found = () => all.place.querySelector<HTMLButtonElement>('.priors li li button')
    await waitFor(() => expect(found()).not.toBeNull())
    found()!.click()
  }
  const shows = (...expected: string[]) => waitFor(() => expect(titles(all.place)).toEqual(expected))
  return { ...all, choose, shows, openAgain }
}
beforeEach(() => {
  priorSeries['9'] = [series('p')]
  priorSeries['8'] = [series('q')]
})

describe('another study that is opened', () => {
  it.each([
    ['of its modality, where none is its like', [series('m', { modality: 'MR' }), series('p', head)], 'Head'],
    [
      'with pictures, where none is of its modality',
      [series('d', { modality: 'SR' }), series('p', { modality: 'MR' })],
      'p',
    ],
  ])('begins with the first series %s [P79]', async (_what, found, title) => {
    priorSeries['9'] = found
    const { place, shows } = await opened()
    ofStudies(place)[0]!.click()
    await shows('a', title)
  })

  it('says that it has no pictures where it has none [P79]', async () => {
    priorSeries['9'] = [series('r', { modality: 'SR' })]
    const { place, says } = await opened()
    ofStudies(place)[0]!.click()
    await says('No images in this series', 2)
  })

  it('takes the place of the one before, whichever is acted on, and the own series stays [P79]', async () => {
    const { place, choose, shows, press } = await opened()
    ofStudies(place)[0]!.click()
    await shows('a', 'p')
    choose(2)
    ofStudies(place)[1]!.click()
    await shows('a', 'q')
    press('2×2')
    await shows('a', 'q', 'b', 'c')
    choose(3)
    ofStudies(place)[0]!.click()
    await shows('a', 'p', 'b', 'c')
  })

  it('comes into an empty pane before one that shows something, else into the last [P79]', async () => {
    const two = await opened({}, { a: 1, b: 1 })
    two.press('2×2')
    await two.shows('a', 'b', 'No other series', 'No other series')
    ofStudies(two.place)[0]!.click()
    await two.shows('a', 'b', 'p', 'No other series')
    document.body.replaceChildren()
    const four = await opened({ priors: [prior('9')] }, { a: 1, b: 1, c: 1, d: 1 })
    four.press('2×2')
    await four.shows('a', 'b', 'c', 'd')
    four.choose(4)
    ofStudies(four.place)[0]!.click()
    await four.shows('a', 'b', 'p', 'd')
  })

  it('stands beside another one that fills the page, too [P79]', async () => {
    const { place, press, shows, openAgain } = await opened()
    ofStudies(place)[0]!.click()
    await shows('a', 'p')
    press('1×1')
    await shows('a')
    await openAgain()
    await shows('p')
    ofStudies(place)[1]!.click()
    await shows('p', 'q')
  })
})

describe('two panes', () => {
  it('show the study beside another one that fills the page [P79]', async () => {
    const { place, press, shows, openAgain } = await opened()
    ofStudies(place)[0]!.click()
    await shows('a', 'p')
    press('1×1')
    await openAgain()
    await shows('p')
    press('1×2')
    await shows('p', 'a')
  })

  it('of four that there were show what they showed: nothing comes of itself [P79]', async () => {
    const { press, shows, turn } = await opened()
    press('2×2')
    await shows('a', 'b', 'c', 'No other series')
    press('1×2')
    await turn()
    await shows('a', 'b')
    expect(askedForPriors).toHaveLength(1)
  })

  it.each([
    ['is none of the kind of its series', [series('p', head)]],
    ['does not come', []],
  ])('go on with the study where the other one %s, and are not linked [P79]', async (_what, found) => {
    Object.assign(priorSeries, { 9: found, nowhere: [series('p')] })
    const more = await opened({ priors: [prior('9')] })
    more.press('1×2')
    await more.shows('a', 'b')
    await waitFor(() => expect(pressed(more.place, 'Link scrolling')).toBe('false'))
    document.body.replaceChildren()
    const none = await opened({ priors: [prior('9')] }, { a: 1 })
    none.press('1×2')
    await none.shows('a', 'No other series')
    expect(none.pane(2)).toHaveTextContent('Choose one from the list to open it here.')
    await waitFor(() => expect(pressed(none.place, 'Link scrolling')).toBe('false'))
  })

  it('are linked where it is [P79]', async () => {
    const { place, press, shows } = await opened({ priors: [prior('9')] })
    press('1×2')
    await shows('a', 'p')
    await waitFor(() => expect(pressed(place, 'Link scrolling')).toBe('true'))
  })

  it('that are one again by the time that it comes stay one [P79]', async () => {
    const { press, shows, turn } = await opened({ priors: [prior('9')] })
    const { fetch } = globalThis
    const coming = Promise.withResolvers<void>()
    globalThis.fetch = async (...given) => {
      if (String(given[0]).includes('studies/9/')) await coming.promise
      return fetch(...given)
    }
    press('1×2')
    await shows('a', 'Loading …')
    press('1×1')
    coming.resolve()
    for (let turns = 0; turns < 3; turns += 1) await turn()
    await shows('a')
  })
})

describe('new panes beside an empty one that is acted on', () => {
  const study = (uid: string, id: string) => ({
    [tag.StudyInstanceUID]: { Value: [uid] },
    [tag.PatientID]: { Value: [id] },
  })
  it('stay empty rather than show somebody else, and show the next series of the patient [7.42, P25]', async () => {
    const of = { a: study('1', 'P-1'), b: study('2', 'P-2') }
    const all = await page(
      { a: 1, b: 1 },
      {
        studies: Object.values(of),
        series: { a: { studyUid: '1' }, b: { studyUid: '2' } },
        ofPicture: (uid) => of[uid as 'a'],
      },
    )
    await all.says('1 / 1')
    await waitFor(() => expect(all.header).toHaveTextContent('ID P-1'))
    const none = 'No other series of this patient'
    all.press('1×2')
    await all.says(none, 2)
    all.pane(2).dispatchEvent(new Event('pointerdown'))
    all.press('2×2')
    await all.turn()
    await waitFor(() => expect(titles(all.place)).toEqual(['a', none, none, none]))
    // Whose study the header says stays, while an empty pane is acted on.
    expect(all.header).toHaveTextContent('ID P-1')
    all.press('1×2')
    all.pane(1).dispatchEvent(new Event('pointerdown'))
    getByRole(all.place, 'button', { name: /^b/ }).click()
    await waitFor(() => expect(titles(all.place)).toEqual(['b', none]))
    all.pane(2).dispatchEvent(new Event('pointerdown'))
    all.press('2×2')
    await all.turn()
    await waitFor(() => expect(titles(all.place)).toEqual(['b', none, none, none]))
  })

  it('stay empty beside an earlier study alone, where the rest is somebody else’s [7.42, P25]', async () => {
    const of = { a: study('1', 'P-1'), b: study('2', 'P-2') }
    const all = await page(
      { a: 1, b: 1, p: 1 },
      {
        studies: Object.values(of),
        series: { a: { studyUid: '1' }, b: { studyUid: '2' } },
        ofPicture: (uid) => of[uid === 'b' ? 'b' : 'a'],
        priors: [prior('9')],
      },
    )
    await all.says('1 / 1')
    await waitFor(() => expect(ofStudies(all.place)).not.toEqual([]))
    ofStudies(all.place)[0]!.click()
    await waitFor(() => expect(titles(all.place)).toEqual(['a', 'p']))
    all.pane(2).dispatchEvent(new Event('pointerdown'))
    all.press('2×2')
    const none = 'No other series of this patient'
    await waitFor(() => expect(titles(all.place)).toEqual(['a', 'p', none, none]))
  })
})

it('what is known of no patient has no warning, and is called by its modality in the list of commands [P79]', async () => {
  const { place, press } = await page(
    { a: 1 },
    {
      documents: { r: 2 },
      priors: [prior('9', { studyDate: null }), prior('8', { patientName: '', studyDate: null })],
    },
  )
  await waitFor(() => expect(ofStudies(place)).toHaveLength(2))
  expect(place.querySelector('.series-warning')).toBeNull()
  expect(getByRole(place, 'button', { name: /2 documents/ })).toBeVisible()
  press('All commands')
  const listed = getByRole(place, 'dialog', { name: 'All commands' }).querySelectorAll('bdi')
  expect([...listed].filter(({ textContent }) => textContent === 'CT · Thorax')).toHaveLength(2)
})
