import { waitFor } from '@testing-library/dom'
import type { Series } from '../study/series.ts'
import { stage } from '../testing/cornerstone.ts'
import { inATabOfItsOwn, lostAddresses, page } from '../testing/page.ts'
import { Preview } from './Preview.ts'

inATabOfItsOwn()

const slice = (number: number) => ({ imageId: `wadors:/dicom-web/x/${number}` })
const series = { description: 'Head', number: 1, slices: [1, 2, 3].map(slice) } as unknown as Series

describe('a preview', () => {
  it('is asked for in the pixels of the screen, and of no more than a phone shows', () => {
    const asked = () => new Preview(series).root.querySelector('img')?.getAttribute('src')
    Object.assign(window, { innerWidth: 360, innerHeight: 640, devicePixelRatio: 2 })
    expect(asked()).toBe('/dicom-web/x/2/rendered?viewport=720,1024')
    Object.assign(window, { innerWidth: 0, innerHeight: 0 })
    expect(asked()).toBe('/dicom-web/x/2/rendered?viewport=1,1')
  })

  it('stays in its pane until the same slice is drawn there [7.42]', async () => {
    stage.isSlow = true
    const preview = new Preview(series)
    const { says, pane } = await page({ a: 20 }, { preview })
    await says('Loading slice 11 …')
    expect(pane()).toContainElement(preview.root)
    stage.asked[0]!.answer()
    await waitFor(() => expect(pane()).not.toContainElement(preview.root))
  })

  it('goes when the series cannot be shown', async () => {
    lostAddresses.add('a')
    const preview = new Preview(series)
    const { says, pane } = await page({ a: 20 }, { preview })
    await says('Try again')
    expect(pane()).not.toContainElement(preview.root)
  })
})
