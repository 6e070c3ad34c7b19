import { getByRole, queryByRole, waitFor, within } from '@testing-library/dom'
import { tag, type JsonDataset } from '@dmp/dicom'
import { stage } from '../testing/cornerstone.ts'
import { askedForPriors, inATabOfItsOwn, page, prior, priorSeries } from '../testing/page.ts'

inATabOfItsOwn()

const person = {
  [tag.PatientName]: { Value: [{ Alphabetic: 'DOE^JANE' }] },
  [tag.PatientID]: { Value: ['P-1'] },
  [tag.PatientBirthDate]: { Value: ['19640812'] },
  [tag.PatientSex]: { Value: ['F'] },
  [tag.StudyDate]: { Value: ['20261101'] },
  [tag.StudyDescription]: { Value: ['Thorax'] },
}
const lung = { description: 'Lung 1.0', bodyPart: 'CHEST' }
const ofChest = (uid: string, description: string) => ({ uid, description, modality: 'CT', bodyPart: 'CHEST' })
const others = (place: HTMLElement) => [...place.querySelectorAll<HTMLButtonElement>('.priors .series-button')]
const title = (pane: HTMLElement) => [...pane.querySelectorAll('.corner.top-right p')].map((line) => line.textContent)

describe('the header of the patient', () => {
  it('says whose images these are and of which study, however the parts are missing [7.42, P28]', async () => {
    const { header, says } = await page({ a: 1 }, { more: person })
    await says('1 / 1')
    await waitFor(() =>
      expect([...header.children].map((part) => part.textContent)).toEqual([
        'DOE, JANE',
        'ID P-1Born 1964-08-12Female',
        '2026-11-01CTThorax',
      ]),
    )
    expect(getByRole(document.body, 'group', { name: 'Patient' })).toBe(header)
    const nameless = await page({ a: 1 })
    await nameless.says('1 / 1')
    await waitFor(() => expect(nameless.header).toHaveTextContent('No name'))
    expect(nameless.header).not.toHaveTextContent(/ID|Born/)
  })

  it('also of a study that cannot be shown [7.42]', async () => {
    const { header, says } = await page({ a: 1 }, { more: { ...person, [tag.Rows]: { Value: [0] } } })
    await says('No images in this series')
    await waitFor(() => expect(header).toHaveTextContent('DOE, JANE'))
  })

  it('is that of the pane that is acted on [7.42]', async () => {
    priorSeries['9'] = [ofChest('p', 'Lung 1.0')]
    const { header, place, pane, says } = await page(
      { a: 1, p: 1 },
      { more: person, series: { a: lung }, priors: [prior('9')] },
    )
    await says('1 / 1')
    await waitFor(() => expect(others(place)).toHaveLength(1))
    others(place)[0]!.click()
    await says('1 / 1', 2)
    pane(2).dispatchEvent(new Event('pointerdown'))
    await waitFor(() => expect(header).toHaveTextContent('DOE, JANE'))
  })
})

describe('the other studies of the patient', () => {
  const opened = async (more: Parameters<typeof page>[1] = {}) => {
    const all = await page({ a: 1, b: 1, p: 2, q: 3 }, { more: person, series: { a: lung }, ...more })
    await all.says('1 / 1')
    return all
  }

  it('are asked for after the first picture, by the study alone [P23, P79]', async () => {
    stage.isSlow = true
    const { place, says, turn } = await page({ a: 1 }, { more: person, priors: [prior('9')] })
    await says('Loading slice 1 …')
    for (let turns = 0; turns < 3; turns += 1) await turn()
    expect(askedForPriors).toEqual([])
    stage.asked[0]!.answer()
    await waitFor(() => expect(askedForPriors).toEqual(['/launch/priors/1']))
    await waitFor(() => expect(others(place)).toHaveLength(1))
    expect(getByRole(place, 'heading', { name: 'Other studies' })).toBeVisible()
  })

  it('stand with date, modality, description and picture; who may be somebody else is marked', async () => {
    const { place } = await opened({
      priors: [
        prior('9', { pictureSeriesUID: '9.1' }),
        prior('8', { studyDate: '2027-01-01', patientName: 'Roe, Jane' }),
        prior('7', { studyDate: null, birthDate: '1964-08-13' }),
      ],
    })
    await waitFor(() => expect(others(place)).toHaveLength(3))
    expect(others(place).map((button) => [...button.children].slice(1).map((part) => part.textContent))).toEqual([
      ['2025-01-01', 'CT · Thorax', 'Earlier study'],
      ['2027-01-01', 'CT · Thorax', 'Later study', 'Other name, birth date or sex'],
      ['Other study', 'CT · Thorax', 'Other name, birth date or sex'],
    ])
    expect(others(place)[0]!.querySelector('img')).toHaveAttribute('src', '/dicom-web/studies/9/series/9.1/thumbnail')
  })

  it('are not marked where both have the prefix of their name, which stands above as the lists have it [7.42]', async () => {
    const doctor = { ...person, [tag.PatientName]: { Value: [{ Alphabetic: 'Müller^Jörg^^Dr.' }] } }
    const { place, header } = await opened({ more: doctor, priors: [prior('9', { patientName: 'Müller, Dr. Jörg' })] })
    await waitFor(() => expect(others(place)).toHaveLength(1))
    expect(header).toHaveTextContent('Müller, Dr. Jörg')
    expect(others(place)[0]).not.toHaveTextContent('Other name, birth date or sex')
  })

  it('open beside the one that is looked at, on the series of its kind, which says that it is another', async () => {
    priorSeries['9'] = [ofChest('p', 'Mediastinum'), ofChest('q', 'Lung 1.0 axial')]
    const { place, pane, says, press } = await opened({ priors: [prior('9')] })
    await waitFor(() => expect(others(place)).toHaveLength(1))
    others(place)[0]!.click()
    await says('2 / 3', 2)
    expect(title(pane(1)).slice(0, 1)).toEqual(['Lung 1.0'])
    expect(title(pane(2))).toEqual(['Lung 1.0 axial', 'CT · 2026-11-01', 'Other study'])
    // Its other series can be chosen now, and one pane stays for comparison.
    await waitFor(() => expect(others(place)).toHaveLength(3))
    expect(others(place)[0]).toHaveAttribute('aria-expanded', 'true')
    press('2×2')
    await says('No other series', 4)
  })

  it('are compared with by 1×2, where the like of a series can be told; else its study goes on', async () => {
    priorSeries['9'] = [ofChest('q', 'Lung 1.0 axial')]
    const { place, pane, press, says } = await opened({ priors: [prior('9')] })
    await waitFor(() => expect(others(place)).toHaveLength(1))
    press('1×2')
    await says('2 / 3', 2)
    expect(title(pane(2))[0]).toBe('Lung 1.0 axial')
    const unlike = await opened({ priors: [prior('6', { modalities: ['MR'] })] })
    await waitFor(() => expect(others(unlike.place)).toHaveLength(1))
    unlike.press('1×2')
    await waitFor(() => expect(title(unlike.pane(2))[0]).toBe('b'))
  })

  it('leave alone what somebody opens in the empty pane before they have come', async () => {
    priorSeries['9'] = [ofChest('q', 'Lung 1.0 axial')]
    const { place, pane, press, says } = await opened({ priors: [prior('9')] })
    await waitFor(() => expect(others(place)).toHaveLength(1))
    const { fetch } = globalThis
    const { promise: isLetIn, resolve: letIn } = Promise.withResolvers<undefined>()
    globalThis.fetch = async (...given) => {
      if (String(given[0]).includes('studies/9/')) await isLetIn
      return fetch(...given)
    }
    press('1×2')
    pane(2).dispatchEvent(new Event('pointerdown'))
    await waitFor(() => expect(pane(2)).toHaveAttribute('aria-current', 'true'))
    place.querySelectorAll<HTMLButtonElement>('.series > ul .series-button')[1]!.click()
    await waitFor(() => expect(title(pane(2))[0]).toBe('b'))
    letIn(undefined)
    await says('1 / 1', 2)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(title(pane(2))[0]).toBe('b')
    globalThis.fetch = fetch
  })

  it('say so where one does not come, and the study stays, until it has come', async () => {
    const { place, pane, says } = await opened({ priors: [prior('9')] })
    await waitFor(() => expect(others(place)).toHaveLength(1))
    others(place)[0]!.click()
    await waitFor(() =>
      expect(within(place.querySelector('.priors')!).getByRole('alert')).toHaveTextContent(
        'These images were not found',
      ),
    )
    await says('1 / 1')
    expect(pane(1)).toBeVisible()
    priorSeries['9'] = [ofChest('p', 'Lung 1.0')]
    others(place)[0]!.click()
    await says('2 / 2', 2)
    await waitFor(() => expect(queryByRole(place.querySelector<HTMLElement>('.priors')!, 'alert')).toBeNull())
  })

  it('are nowhere where there are none, or where they did not come', async () => {
    for (const priors of [[], 'failing'] as const) {
      const { place } = await opened({ priors })
      await waitFor(() => expect(askedForPriors.length).toBeGreaterThan(0))
      expect(queryByRole(place, 'heading', { name: 'Other studies' })).toBeNull()
      document.body.replaceChildren()
      askedForPriors.length = 0
    }
  })
})

describe('linked scrolling', () => {
  /** Slices of so many mm, one above the other from a height on; `tilted` lies across. */
  const axial = [1, 0, 0, 0, 1, 0]
  const stack =
    (from: number, apart: number, orientation = axial, more: JsonDataset = {}) =>
    (at: number) => ({
      [tag.ImageOrientationPatient]: { Value: orientation },
      [tag.ImagePositionPatient]: { Value: [0, 0, from + at * apart] },
      ...more,
    })
  const frame = (uid: string) => ({ [tag.FrameOfReferenceUID]: { Value: [uid] } })
  const compared = async (stacks: Record<string, (at: number) => JsonDataset>) => {
    priorSeries['9'] = [ofChest('p', 'Lung 1.0')]
    const all = await page(
      { a: 9, p: 5 },
      {
        more: person,
        series: { a: lung },
        priors: [prior('9')],
        ofPicture: (uid, at) => stacks[uid]?.(at) ?? {},
      },
    )
    await all.says('5 / 9')
    await waitFor(() => expect(others(all.place)).toHaveLength(1))
    others(all.place)[0]!.click()
    await all.says('3 / 5', 2)
    return all
  }
  const link = (place: HTMLElement) => queryByRole(place, 'button', { name: 'Link scrolling' })

  it('moves both studies by as many millimetres, from where they stand, in either, until it is put off, and from there when it is put on again [P79]', async () => {
    // 2 mm and 4 mm apart; a day later nobody lies at the same height.
    const { place, says, type, pane, press } = await compared({ a: stack(0, 2), p: stack(700, 4) })
    await waitFor(() => expect(link(place)).toHaveAttribute('aria-pressed', 'true'))
    type('ArrowDown')
    type('ArrowDown')
    await says('7 / 9')
    await says('4 / 5', 2)
    pane(2).dispatchEvent(new Event('pointerdown'))
    type('ArrowUp')
    type('ArrowUp')
    await says('2 / 5', 2)
    await says('3 / 9')
    press('Link scrolling')
    type('ArrowDown')
    await says('3 / 5', 2)
    await says('3 / 9')
    press('Link scrolling')
    type('ArrowDown')
    await says('4 / 5', 2)
    await says('5 / 9')
  })

  it('shows the same place in one frame of reference, also where a stack runs the other way [P79]', async () => {
    const { says, type } = await compared({
      a: stack(0, 2, axial, frame('1')),
      p: stack(0, 4, [1, 0, 0, 0, -1, 0], frame('1')),
    })
    type('ArrowDown')
    await says('6 / 9')
    type('End')
    await says('9 / 9')
    await says('5 / 5', 2)
  })

  it('keeps the distance where each has a frame of reference of its own, also beside empty panes [P79]', async () => {
    const { says, type, press, place } = await compared({
      a: stack(0, 2, axial, frame('1')),
      p: stack(700, 4, axial, frame('2')),
    })
    press('2×2')
    await says('No other series', 4)
    await waitFor(() => expect(link(place)).not.toHaveAttribute('aria-disabled'))
    type('ArrowDown')
    type('ArrowDown')
    await says('7 / 9')
    await says('4 / 5', 2)
  })

  it('is not offered beside another orientation, nor in a pane alone [P79]', async () => {
    const sagittal = (at: number) => ({
      [tag.ImageOrientationPatient]: { Value: [0, 1, 0, 0, 0, -1] },
      [tag.ImagePositionPatient]: { Value: [at * 4, 0, 0] },
    })
    const { place, says, type, press } = await compared({ a: stack(0, 2), p: sagittal })
    await waitFor(() => expect(link(place)).toHaveAttribute('aria-disabled', 'true'))
    type('ArrowDown')
    await says('6 / 9')
    await says('3 / 5', 2)
    press('1×1')
    await waitFor(() => expect(link(place)).toBeNull())
  })
})

it.each([
  [12, '12 more studies on the patient’s page'],
  [1, '1 more study on the patient’s page'],
])('says that %i other studies are not in the list, and leads to the page that has them [P79]', async (count, name) => {
  const { place } = await page({ a: 1 }, { more: person, priors: [prior('9')], morePriors: count })
  const link = await waitFor(() => getByRole(place, 'link', { name }))
  expect(link).toHaveAttribute('href', '/scan/patient/o/1')
})
