import { exact, Uuid } from '@dmp/contract/fields'
import { anId } from '@dmp/contract/examples'
import { renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { Choice, SchemaForm, SelectField, TextField } from './index.ts'
import { Phone } from '@dmp/contract/fields'

const clinics = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: anId(n), label: `Clinic-${String(n).padStart(2, '0')}` }))
const form = (count: number, sent: unknown[]) =>
  renderScreen(
    <SchemaForm
      schema={exact({ organizationId: Uuid, phone: Phone })}
      call={async (values) => sent.push(values)}
      submitLabel="Save"
      onDone={() => {}}
    >
      <SelectField name="organizationId" label="Organization" options={clinics(count)} />
      <TextField name="phone" label="Phone" />
    </SchemaForm>,
    { at: '/form', answers: [] },
  )
const box = () => screen.getByRole('combobox', { name: 'Organization' })
const offered = () =>
  within(screen.getByRole('listbox'))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

describe('a select of many options', () => {
  it('is a plain select while there are few', () => {
    form(15, [])
    expect(box().tagName).toBe('SELECT')
  })

  it('has a search of its own from sixteen on, which no spelling is looked up for', () => {
    form(16, [])
    expect(box().tagName).toBe('INPUT')
    expect(box()).toHaveAttribute('spellcheck', 'false')
  })

  it('ends at both ends of its list', async () => {
    const { user } = form(60, [])
    await user.type(box(), 'nic-4')
    await user.keyboard('{ArrowDown>12}{Enter}')
    expect(box()).toHaveValue('Clinic-49')
    await user.clear(box())
    await user.type(box(), 'nic-4')
    await user.keyboard('{ArrowDown}{ArrowUp>3}{Enter}')
    expect(box()).toHaveValue('Clinic-40')
  })

  it('narrows by what is typed, walks by arrows, and Enter chooses without sending the form [2.62, 5.08]', async () => {
    const sent: unknown[] = []
    const { user } = form(60, sent)
    expect(box()).toHaveAttribute('aria-expanded', 'false')
    await user.type(box(), 'nic-4')
    expect(offered()).toEqual(Array.from({ length: 10 }, (_, n) => `Clinic-4${n}`))
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{Enter}')
    expect(box()).toHaveValue('Clinic-41')
    expect(box()).toHaveAttribute('aria-expanded', 'false')
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent).toEqual([expect.objectContaining({ organizationId: anId(41) })])
  })

  it('is chosen from by the mouse, and tells assistive technology which one is meant', async () => {
    const { user } = form(60, [])
    await user.click(box())
    expect(offered()).toHaveLength(60)
    await user.keyboard('{ArrowDown}')
    const active = document.querySelector(`[id="${box().getAttribute('aria-activedescendant') ?? ''}"]`)
    expect(active).toHaveTextContent('Clinic-01')
    await user.click(screen.getByRole('option', { name: 'Clinic-07' }))
    expect(box()).toHaveValue('Clinic-07')
  })

  it('gives up with Escape and keeps what was chosen; words that match nothing choose nothing', async () => {
    const { user } = form(60, [])
    await user.type(box(), 'Clinic-33{Enter}')
    await user.clear(box())
    await user.type(box(), 'nowhere')
    expect(offered()).toEqual(['No match'])
    expect(screen.getByRole('option', { name: 'No match' })).toHaveAttribute('aria-selected', 'false')
    await user.keyboard('{Enter}')
    expect(box()).toHaveValue('Clinic-33')
    await user.clear(box())
    await user.type(box(), 'nowhere')
    await user.keyboard('{Escape}')
    expect(box()).toHaveValue('Clinic-33')
    // Opened by an arrow, the list begins at what is chosen.
    await user.keyboard('{ArrowDown}')
    expect(document.querySelector(`[id="${box().getAttribute('aria-activedescendant') ?? ''}"]`)).toHaveTextContent(
      'Clinic-33',
    )
    await user.keyboard('{Escape}')
    await user.clear(box())
    await user.type(box(), 'clinic-34')
    await user.tab()
    expect(box()).toHaveValue('Clinic-34')
  })

  it('keeps Enter and Escape for itself while it is open, and only then [P29]', async () => {
    const sent: unknown[] = []
    const { user } = form(60, sent)
    const heard: string[] = []
    const hear = ({ key }: KeyboardEvent) => heard.push(key)
    document.addEventListener('keydown', hear)
    await user.type(box(), 'Clinic-33{Enter}')
    expect(sent).toEqual([])
    heard.length = 0
    await user.keyboard('{ArrowDown}{Escape}{Escape}')
    // The second closes what is around the list.
    expect(heard).toEqual(['ArrowDown', 'Escape'])
    await user.keyboard('{Enter}')
    expect(sent).toEqual([expect.objectContaining({ organizationId: anId(33) })])
    document.removeEventListener('keydown', hear)
  })

  it('stands above a list as well [2.58]', async () => {
    function Above() {
      const [value, setValue] = useState<string>()
      return <Choice label="Organization" options={clinics(40)} value={value} onChange={setValue} />
    }
    const { user } = renderScreen(<Above />, { at: '/scan', answers: [] })
    await user.type(box(), '39{Enter}')
    expect(box()).toHaveValue('Clinic-39')
  })
})
