import { render, screen } from '@testing-library/react'
import { Choice } from './index.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `n${at}`, label: `North ${at}` }))

const options = [{ value: 'n', label: 'North' }]
const draw = (more: { disabled?: boolean; loading?: boolean }) =>
  render(<Choice label="Organization" options={options} value="n" onChange={() => {}} {...more} />)

describe('a choice', () => {
  it.each([
    [{}, false],
    [{ disabled: true }, true],
    [{ loading: true }, true],
  ])('with %o can be changed, or not', (more, isDisabled) => {
    draw(more)
    expect((screen.getByLabelText('Organization') as HTMLSelectElement).disabled).toBe(isDisabled)
  })

  it.each([
    [{}, false],
    [{ disabled: true }, true],
    [{ loading: true }, true],
  ])('of sixteen, with a search, with %o can be changed, or not', (more, isDisabled) => {
    const { unmount } = render(
      <Choice label="Organization" options={many(15)} value="n1" onChange={() => {}} {...more} />,
    )
    expect(screen.getByLabelText('Organization').tagName).toBe('SELECT')
    unmount()
    render(<Choice label="Organization" options={many(16)} value="n1" onChange={() => {}} {...more} />)
    const box = screen.getByLabelText('Organization') as HTMLInputElement
    expect([box.tagName, box.disabled]).toEqual(['INPUT', isDisabled])
  })
})
