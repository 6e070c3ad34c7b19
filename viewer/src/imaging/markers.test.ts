import { waitFor } from '@testing-library/dom'
import { tag, type JsonDataset } from '@dmp/dicom'
import { inATabOfItsOwn, isOff, page } from '../testing/page.ts'

inATabOfItsOwn()

const sizes: jest.SpyInstance[] = []
beforeEach(() => {
  sizes.push(
    jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(80),
    jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(60),
  )
})
afterEach(() => sizes.splice(0).forEach((size) => size.mockRestore()))

/** A picture, the letters at its left, right, top and bottom edge, and whether it says that it is mirrored. */
async function opened(more: JsonDataset, modality = 'CT') {
  const shown = await page({ a: 1 }, { more, modality })
  await shown.says('Zoom 1.00×')
  const letters = () =>
    ['left', 'right', 'top', 'bottom'].map((edge) => shown.pane().querySelector(`.edge.${edge}`)!.textContent)
  const isMirrored = () => shown.pane().querySelector('.corner.bottom-right')!.textContent.endsWith('Mirrored')
  return { ...shown, letters, isMirrored }
}

const plane = { [tag.PlaneOrientationSequence]: { Value: [{}] } }
const says = (...Value: string[]) => ({ [tag.PatientOrientation]: { Value } })

it.each<[string, JsonDataset, string[]]>([
  ['no picture says', {}, ['', '', '', '']],
  ['each picture does', { [tag.ImageOrientationPatient]: { Value: [1, 0, 0, 0, 1, 0] } }, ['R', 'L', 'A', 'P']],
  ['the frames share it', { [tag.SharedFunctionalGroupsSequence]: { Value: [plane] } }, ['R', 'L', 'A', 'P']],
  ['each frame has its own', { [tag.PerFrameFunctionalGroupsSequence]: { Value: [plane] } }, ['R', 'L', 'A', 'P']],
  ['the frames share other things', { [tag.SharedFunctionalGroupsSequence]: { Value: [{}] } }, ['', '', '', '']],
  ['a radiograph says its directions', says('L', 'F'), ['R', 'L', 'H', 'F']],
  ['one of a breast leads to two at once', says('P', 'FL '), ['A', 'P', 'HR', 'FL']],
  [
    'a picture says both, and its plane counts',
    { ...says('L', 'F'), [tag.ImageOrientationPatient]: { Value: [1, 0, 0, 0, 1, 0] } },
    ['R', 'L', 'A', 'P'],
  ],
  ['only one direction is said', says('L'), ['', '', '', '']],
  ['an animal has directions of its own', says('CR', 'D'), ['', '', '', '']],
])('the edges say which way the patient lies where %s [7.42]', async (_what, more, letters) => {
  const shown = await opened(more)
  await waitFor(() => expect(shown.letters()).toEqual(letters))
})

it('the letters of a radiograph follow its turns and flips, and one flip is said until it is undone [7.42]', async () => {
  const { place, letters, isMirrored, press } = await opened(says('L', 'F'), 'DX')
  await waitFor(() => expect(isOff(place, 'Reset')).toBe(false))
  const after = (label: string) => {
    press(label)
    return [letters().join(''), isMirrored()]
  }
  expect(after('Flip left to right')).toEqual(['LRHF', true])
  expect(after('Flip top to bottom')).toEqual(['LRFH', false])
  expect(after('Flip left to right')).toEqual(['RLFH', true])
  expect(after('Flip top to bottom')).toEqual(['RLHF', false])
  expect(after('Rotate right')).toEqual(['FHRL', false])
  expect(after('Flip left to right')[1]).toBe(true)
  press('Reset')
  await waitFor(() => expect([letters().join(''), isMirrored()]).toEqual(['RLHF', false]))
})
