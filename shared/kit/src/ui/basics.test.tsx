import { Checkbox, Flex, Progress, Skeleton } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'

describe('the plain parts', () => {
  it('are grey lines where something is on its way: a title and three, the last one shorter', () => {
    const widths = (container: HTMLElement) =>
      [...container.querySelectorAll<HTMLElement>('.dmp-skeleton .dmp-grey')].map(({ style }) => style.width)
    const { container, unmount } = renderScreen(<Skeleton />, { at: '/' })
    expect(widths(container)).toEqual(['38%', '100%', '100%', '61%'])
    unmount()
    expect(widths(renderScreen(<Skeleton rows={1} title={false} />, { at: '/' }).container)).toEqual(['61%'])
  })

  it('stand beside each other, or below, as far apart as is said', () => {
    renderScreen(
      <>
        <Flex>a</Flex>
        <Flex vertical wrap gap="small">
          b
        </Flex>
        <Flex gap={3}>c</Flex>
      </>,
      { at: '/' },
    )
    expect(screen.getByText('a')).toHaveStyle({ flexDirection: 'row', flexWrap: 'nowrap' })
    expect(screen.getByText('b')).toHaveStyle({ flexDirection: 'column', flexWrap: 'wrap', gap: '8px' })
    expect(screen.getByText('c')).toHaveStyle({ gap: '3px' })
  })

  it('are boxes to tick, with words or a name, which only show where nobody listens', () => {
    renderScreen(
      <>
        <Checkbox checked onChange={() => {}}>
          Anonymize
        </Checkbox>
        <Checkbox checked={false} aria-label="Active" />
      </>,
      { at: '/' },
    )
    expect(screen.getByRole('checkbox', { name: 'Anonymize' })).not.toHaveAttribute('readonly')
    expect(screen.getByRole('checkbox', { name: 'Active' })).toHaveAttribute('readonly')
    expect(screen.getByRole('checkbox', { name: 'Active' }).closest('label')?.querySelector('span')).toBeNull()
  })

  it.each([
    [99.9, 'normal'],
    [100, 'success'],
  ])('of %d %% is %s', (percent, state) => {
    renderScreen(<Progress percent={percent} aria-label="Upload" />, { at: '/' })
    expect(screen.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('data-status', state)
  })
})
