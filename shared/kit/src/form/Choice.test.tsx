import { render, screen } from '@testing-library/react'
import { Choice } from './index.ts'

const options = [{ value: 'n', label: 'North' }]
const draw = (more: { disabled?: boolean; loading?: boolean }) => render(<Choice label="Organization" options={options} value="n" onChange={() => {}} {...more} />)

describe('a choice', () => {
  it.each([[{}, false], [{ disabled: true }, true], [{ loading: true }, true]])('with %o can be changed, or not', (more, isDisabled) => {
    draw(more)
    expect((screen.getByLabelText('Organization') as HTMLSelectElement).disabled).toBe(isDisabled)
  })
})
