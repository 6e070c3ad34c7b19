import { renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import * as v from 'valibot'
import { SchemaForm, TitleField } from './index.ts'

jest.mock('../language/dataWords.ts', () => ({
  dataWord: (word: string) =>
    new Map([
      ['Mr', 'Herr'],
      ['Mrs', 'Frau'],
      ['Ms', 'Frau'],
    ]).get(word) ?? word,
}))

it.each([
  ['Mr', 'Mrs'],
  ['Ms', 'Ms'],
])('offers a word of the language once, beside %s as %s [5.07]', (civility, woman) => {
  renderScreen(
    <SchemaForm
      schema={v.object({ civility: v.string() })}
      defaults={{ civility }}
      call={async () => null}
      onDone={() => undefined}
      submitLabel="Save"
    >
      <TitleField />
    </SchemaForm>,
    { at: '/' },
  )
  const title = screen.getByLabelText('Title')
  expect(title).toHaveValue(civility)
  const options = within(title).getAllByRole('option') as HTMLOptionElement[]
  expect(options.map(({ label, value }) => [label, value])).toEqual([
    ['Herr', 'Mr'],
    ['Frau', woman],
    ['Dr', 'Dr'],
    ['Prof', 'Prof'],
  ])
})
