import { limits } from '@dmp/contract'
import { PhoneField, TextField, TitleField } from '@dmp/kit/form'

/** Title and names, shared by the add and the edit form (5.06, 5.07). */
export function NameFields() {
  return (
    <>
      <TitleField name="civility" />
      <TextField name="firstName" label="First Name" max={limits.personNameMaxChars} />
      <TextField name="lastName" label="Last Name" max={limits.personNameMaxChars} />
    </>
  )
}

/** The three optional phone fields (5.05). */
export function PhoneFields() {
  return (
    <>
      <PhoneField name="landline" label="Landline" />
      <PhoneField name="mobile" label="Mobile" />
      <PhoneField name="fax" label="Fax" />
    </>
  )
}
