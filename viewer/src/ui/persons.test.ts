import { getByRole, queryByRole, waitFor, within } from '@testing-library/dom'
import { tag, type JsonDataset } from '@dmp/dicom'
import { seriesEntry } from '../study/series.ts'
import { readSubject } from '../study/subject.ts'
import { askedForPriors, inATabOfItsOwn, page, prior, priorSeries } from '../testing/page.ts'
import { PatientHeader } from './PatientHeader.ts'

inATabOfItsOwn()

const study = (uid: string, name: string, id: string, day: string): JsonDataset => ({
  [tag.StudyInstanceUID]: { Value: [uid] },
  [tag.PatientName]: { Value: [{ Alphabetic: name }] },
  [tag.PatientID]: { Value: [id] },
  [tag.StudyDate]: { Value: [day] },
  [tag.StudyDescription]: { Value: ['PET Whole body'] },
})
const anna = study('1', 'SAMPLE^ANNA', 'P-1', '20260102')
const annasEarlier = study('3', 'SAMPLE^ANNA', 'P-1', '20250102')
const ben = study('2', 'OTHER^BEN', 'P-2', '20260203')
/** Two series of one name, in two studies. */
const opened = async (studies: readonly [JsonDataset, JsonDataset], more: Parameters<typeof page>[1] = {}) => {
  const uidOf = (each: JsonDataset) => String(each[tag.StudyInstanceUID]?.Value?.[0])
  const all = await page(
    { a: 1, b: 1 },
    {
      studies,
      series: {
        a: { studyUid: uidOf(studies[0]), description: 'PET' },
        b: { studyUid: uidOf(studies[1]), description: 'PET' },
      },
      ofPicture: (uid) => studies[uid === 'a' ? 0 : 1],
      ...more,
    },
  )
  await all.says('1 / 1')
  return all
}
const names = (place: HTMLElement) =>
  within(getByRole(place, 'navigation', { name: 'Series' }))
    .getAllByRole('button')
    .map((button) => button.textContent)

describe('studies of several patients', () => {
  it('stand below whose they are and of when, and their series are called differently [7.42, P25, P29]', async () => {
    const { place } = await opened([anna, ben])
    for (const name of [
      /^SAMPLE, ANNA ?ID P-1 ?2026-01-02 ?PET Whole body$/,
      /^OTHER, BEN ?ID P-2 ?2026-02-03 ?PET Whole body$/,
    ])
      expect(within(getByRole(place, 'region', { name })).getAllByRole('button')).toHaveLength(1)
    expect(names(place)).toEqual([
      'PETCT · 1 image · SAMPLE, ANNA · ID P-1 · 2026-01-02',
      'PETCT · 1 image · OTHER, BEN · ID P-2 · 2026-02-03',
    ])
  })

  it('are not put side by side of themselves [7.42, P25]', async () => {
    const { press, says } = await opened([anna, ben])
    press('1×2')
    await says('No other series of this patient', 2)
    press('2×2')
    await says('No other series of this patient', 4)
  })

  it('are warned of in words while they stand side by side, and no longer [7.42, P25]', async () => {
    const { place, press, pane, says } = await opened([anna, ben])
    press('1×2')
    pane(2).dispatchEvent(new Event('pointerdown'))
    getByRole(place, 'button', { name: /OTHER/ }).click()
    await says('Another patient', 2)
    await waitFor(() =>
      expect([...getByRole(place, 'alert').children].map((line) => line.textContent)).toEqual([
        'The images beside each other are of different patients.',
        'Image 1: SAMPLE, ANNA · ID P-1',
        'Image 2: OTHER, BEN · ID P-2',
      ]),
    )
    press('1×1')
    await waitFor(() => expect(queryByRole(place, 'alert')).toBeNull())
  })

  it('are warned of wherever one of four panes shows somebody else [7.42, P25]', async () => {
    const of = new Map([['a', anna] as const, ['c', annasEarlier] as const, ['b', ben] as const])
    const series = { a: { studyUid: '1' }, c: { studyUid: '3' }, b: { studyUid: '2' } }
    const { place, press, pane, says } = await page(
      { a: 1, c: 1, b: 1 },
      { studies: [...of.values()], series, ofPicture: (uid) => of.get(uid as 'a') ?? {} },
    )
    await says('1 / 1')
    press('2×2')
    await says('Earlier study', 2)
    expect(queryByRole(place, 'alert')).toBeNull()
    pane(3).dispatchEvent(new Event('pointerdown'))
    getByRole(place, 'button', { name: /OTHER/ }).click()
    await says('Another patient', 3)
    await waitFor(() =>
      expect([...getByRole(place, 'alert').children].map((line) => line.textContent)).toEqual([
        'The images beside each other are of different patients.',
        'Image 1: SAMPLE, ANNA · ID P-1',
        'Image 2: SAMPLE, ANNA · ID P-1',
        'Image 3: OTHER, BEN · ID P-2',
      ]),
    )
  })

  it('are compared with no earlier study of another of them [7.42]', async () => {
    priorSeries['9'] = [{ uid: 'p', description: 'PET', modality: 'CT', bodyPart: '' }]
    const { place, press, says, pane } = await opened([anna, ben], { priors: [prior('9')] })
    await waitFor(() => expect(getByRole(place, 'heading', { name: 'Other studies' })).toBeVisible())
    getByRole(place, 'button', { name: /OTHER/ }).click()
    await waitFor(() => expect(pane()).toHaveTextContent('OTHER, BEN'))
    press('1×2')
    await says('No other series of this patient', 2)
  })
})

it('shows the other study of one patient in a new pane, which says that it is the earlier one [7.42]', async () => {
  const { place, press, says, turn } = await opened([anna, annasEarlier])
  expect(names(place)[1]).toBe('PETCT · 1 image · SAMPLE, ANNA · ID P-1 · 2025-01-02')
  press('1×2')
  await says('Earlier study', 2)
  expect(queryByRole(place, 'alert')).toBeNull()
  // It is no other study to choose from: what the server lists of both is looked at after every test.
  await waitFor(() => expect(askedForPriors).toHaveLength(1))
  await turn()
})

it('says that images may be of two patients where one ID stands for two names [7.42]', async () => {
  const { place, press, pane, says } = await opened([anna, study('2', 'OTHER^BEN', 'P-1', '20260203')])
  press('1×2')
  await says('No other series of this patient', 2)
  pane(2).dispatchEvent(new Event('pointerdown'))
  getByRole(place, 'button', { name: /OTHER/ }).click()
  await says('1 / 1', 2)
  await waitFor(() =>
    expect(getByRole(place, 'alert')).toHaveTextContent('The images beside each other may be of different patients.'),
  )
})

it('stands above the pictures again after nobody knew for a while whose they are [7.42, P25]', () => {
  const header = new PatientHeader()
  const entry = seriesEntry({ [tag.SeriesInstanceUID]: { Value: ['1.1'] } }, '1')
  const written = [readSubject(anna), undefined, readSubject(anna)].map((subject) => {
    header.show(subject, entry)
    return header.root.hidden ? 'hidden' : header.root.textContent
  })
  expect(written[0]).toContain('SAMPLE, ANNA')
  expect(written).toEqual([written[0], 'hidden', written[0]])
})
