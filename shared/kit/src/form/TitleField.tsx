import { dataWord } from '@dmp/kit'
import { civilities } from '@dmp/contract/fields'
import { useEffect } from 'react'
import type { FieldProps } from './Field.tsx'
import { useForm } from './formContext.ts'
import type { Option } from './Option.ts'
import { SelectField } from './SelectField.tsx'

/** Where a language has one word for two of them, it is offered once, as the one that was chosen already. */
function listOptions(chosen: unknown): readonly Option[] {
  const byWord = new Map<string, string>()
  for (const value of civilities) {
    const word = dataWord(value)
    if (!byWord.has(word) || value === chosen) byWord.set(word, value)
  }
  return [...byWord].map(([label, value]) => ({ value, label }))
}

/** The civility select of 5.07: Mr, Mrs, Ms, Dr, Prof; the first one where the form has no other default. */
export function TitleField({ name = 'civility', label = 'Title', ...rest }: Partial<FieldProps>) {
  const { valueOf, preset } = useForm()
  const isEmpty = valueOf(name) === ''
  // 5.07: the add and registration forms default to the first.
  useEffect(() => {
    if (isEmpty) preset(name, civilities[0])
  }, [isEmpty, name, preset])
  return <SelectField name={name} label={label} options={listOptions(valueOf(name))} {...rest} />
}
