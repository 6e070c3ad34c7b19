import { limits } from '@dmp/contract'
import { PhoneField, TextField, TitleField } from '@dmp/kit/form'

/** Title and names, as the add and the edit form have them (5.06, 5.07). */
export function NameFields() {
  return (
    <>
      <TitleField name="civility" />
      <TextField name="firstName" label="First Name" max={limits.personNameMaxChars} />
      <TextField name="lastName" label="Last Name" max={limits.personNameMaxChars} />
    </>
  )
}

/** 5.05 */
export function PhoneFields() {
  return (
    <>
      <PhoneField name="landline" label="Landline" />
      <PhoneField name="mobile" label="Mobile" />
      <PhoneField name="fax" label="Fax" />
    </>
  )
}
