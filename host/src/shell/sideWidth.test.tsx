import { renderScreen } from '@dmp/kit/testing'
import { placeSnapshot } from '../testing/createRemote.ts'
import { Shell } from './Shell.tsx'

it.each([
  [767, 'UNINITIALIZED'],
  [768, 'INACTIVE'],
  [1023, 'INACTIVE'],
  [1024, 'UNINITIALIZED'],
])(
  'on a page of %i px the side navigation begins %s: a rail where its full width would take a third [4.09]',
  (px, state) => {
    placeSnapshot()
    const width = jest.replaceProperty(window, 'innerWidth', px)
    const { container } = renderScreen(<Shell>page</Shell>, { at: '/dashboard' })
    expect(container.querySelector<HTMLElement>('.dmp-shell')?.dataset.side).toBe(state)
    width.restore()
  },
)
