import { StatusBadge } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { toTone } from './StatusBadge.tsx'

describe('badges', () => {
  it.each([
    ['New', 'secondary'],
    ['OnHold', 'warning'],
    ['Pending', 'primary'],
    ['InProgress', 'primary'],
    ['Resolved', 'success'],
    ['Activated', 'success'],
    ['Deactivated', 'danger'],
    ['Approved', 'success'],
    ['Rejected', 'danger'],
    ['Autometrics', 'primary'],
    ['BMD', 'success'],
    ['OssView', 'info'],
    ['PeekMed', 'dark'],
    ['something else', 'secondary'],
  ])('%s is %s [4.01, 4.03, 4.05, 9.13]', (value, tone) => {
    expect(toTone(value)).toBe(tone)
  })

  it('are never told apart by colour alone [P29]', () => {
    renderScreen(
      <>
        <StatusBadge value="Activated" />
        <StatusBadge value="Deactivated" />
      </>,
      { at: '/' },
    )
    const signs = ['Activated', 'Deactivated'].map((text) =>
      screen.getByText(text).querySelector('svg path')?.getAttribute('d'),
    )
    expect(new Set(signs).size).toBe(2)
    expect(signs).not.toContain(undefined)
  })

  it('have no sign where they are names and no state [9.13]', () => {
    renderScreen(<StatusBadge value="BMD" plain />, { at: '/' })
    expect(screen.getByText('BMD').querySelector('svg')).toBeNull()
  })
})
