import { dataWord } from '@dmp/kit'
import { civilities } from '@dmp/contract/fields'
import { useEffect } from 'react'
import type { FieldProps } from './Field.tsx'
import { useForm } from './formContext.ts'
import type { Option } from './Option.ts'
import { SelectField } from './SelectField.tsx'

const civilityOptions: readonly Option[] = civilities.map((value) => ({
  value,
  // The words may come later than this module.
  get label() {
    return dataWord(value)
  },
}))

/** The civility select of 5.07: Mr, Mrs, Ms, Dr, Prof; the first one where the form has no other default. */
export function TitleField({ name = 'civility', label = 'Title', ...rest }: Partial<FieldProps>) {
  const { valueOf, preset } = useForm()
  const isEmpty = valueOf(name) === ''
  // 5.07: the add and registration forms default to the first.
  useEffect(() => {
    if (isEmpty) preset(name, civilities[0])
  }, [isEmpty, name, preset])
  return <SelectField name={name} label={label} options={civilityOptions} {...rest} />
}
