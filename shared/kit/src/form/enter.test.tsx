import * as complaint from '@dmp/contract/complaint'
import { aComplaint, complaintTypes } from '@dmp/contract/examples'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { SchemaForm, SelectField, TextAreaField } from './index.ts'

const draw = (answers: readonly Line[] = []) =>
  renderScreen(
    <SchemaForm
      schema={complaint.add.definition.body}
      defaults={{ moduleId: '00000000-0000-4000-8000-000000000101' }}
      call={complaint.add}
      refreshes={[complaint.list]}
      submitLabel="Submit"
      onDone={() => {}}
    >
      <SelectField
        name="typeId"
        label="Type"
        options={complaintTypes.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextAreaField name="description" label="Description" max={1024} />
    </SchemaForm>,
    { at: '/form', answers },
  )

it.each([
  ['Ctrl', { ctrlKey: true }, 1],
  ['the command key', { metaKey: true }, 1],
  ['nothing', {}, 0],
  ['Ctrl while a word is composed', { ctrlKey: true, isComposing: true }, 0],
])('a form is sent from a text of several lines on Enter with %s [5.18]', async (_what, keys, count) => {
  const { user, calls } = draw([answer(complaint.add, aComplaint())])
  await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
  await user.type(screen.getByLabelText('Description'), 'It jumps.')
  fireEvent.keyDown(screen.getByLabelText('Description'), { key: 'Enter', ...keys })
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(calls(complaint.add)).toHaveLength(count)
})

it('a form shows nothing wrong on Enter in a choice, which opens it', () => {
  draw()
  fireEvent.keyDown(screen.getByLabelText('Type'), { key: 'Enter' })
  expect(screen.getByLabelText('Type')).not.toHaveAccessibleDescription('This field is required!')
})
