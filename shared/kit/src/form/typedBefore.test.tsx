import { exact } from '@dmp/contract/fields'
import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import * as v from 'valibot'
import { CheckboxField, PasswordField, SchemaForm, SelectField, SliderField, TextField } from './index.ts'

const text = v.string('Text.')
const schema = exact({
  name: text,
  secret: text,
  kind: text,
  place: text,
  agrees: v.boolean('Yes or no.'),
  days: v.number('A number.'),
})
const optionsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: `Option ${at}` }))
const labels = ['Name', 'Secret', 'Kind', 'Place', 'Agrees', 'Days']
const find = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** What a person did before the code of the page came: before any effect of the form's fields. */
function Before({ act }: { act: () => void }) {
  useLayoutEffect(() => act(), [act])
  return null
}
const draw = (act: () => void, isDrawn: boolean, sent: (values: unknown) => void = () => undefined) =>
  renderScreen(
    <div {...(isDrawn ? { 'data-drawn': '' } : {})}>
      <Before act={act} />
      <SchemaForm
        schema={schema}
        defaults={{ name: 'Ann', days: 2 }}
        call={async (values) => sent(values)}
        submitLabel="Submit"
        onDone={() => undefined}
      >
        <TextField name="name" label="Name" />
        <PasswordField name="secret" label="Secret" autoComplete="new-password" />
        <SelectField name="kind" label="Kind" options={optionsOf(3)} />
        <SelectField name="place" label="Place" options={optionsOf(20)} />
        <CheckboxField name="agrees" label="Agrees" />
        <SliderField name="days" label="Days" min={1} max={7} />
      </SchemaForm>
    </div>,
    { at: '/form' },
  )
const typeAll = () => {
  const [name, secret, kind, place, agrees, days] = labels.map(find)
  Object.assign(name!, { value: 'Anna' })
  Object.assign(secret!, { value: 'word' })
  Object.assign(kind!, { value: '2' })
  // Half a word of a search is no choice, and a slider is not moved by typing.
  Object.assign(place!, { value: 'Opt' })
  Object.assign(agrees!, { checked: true })
  Object.assign(days!, { value: '5' })
}

it('counts what was typed, chosen and ticked on a page that stood there before its code [P99]', async () => {
  const sent = jest.fn()
  const { user } = draw(typeAll, true, sent)
  await user.click(screen.getByRole('button', { name: 'Submit' }))
  expect(sent).toHaveBeenCalledWith({ name: 'Anna', secret: 'word', kind: '2', place: '', agrees: true, days: 2 })
})

it('keeps its own values where nothing was typed, and on every other page', async () => {
  for (const [act, isDrawn] of [
    [() => undefined, true],
    [typeAll, false],
  ] as const) {
    const sent = jest.fn()
    const { user, unmount } = draw(act, isDrawn, sent)
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(sent).toHaveBeenCalledWith({ name: 'Ann', secret: '', kind: '', place: '', agrees: false, days: 2 })
    unmount()
  }
})
