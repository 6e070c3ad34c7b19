import { limits, registration } from '@dmp/contract'
import { call, settings } from '@dmp/kit'
import { CheckboxField, PhoneField, SchemaForm, TextField, TitleField, UniqueEmailField } from '@dmp/kit/form'
import { Link } from '@dmp/kit/router'
import { PublicScreen } from '@dmp/kit/screen'
import { useState } from 'react'
import { RegisteredScreen } from './RegisteredScreen.tsx'

/** Only the form asks for the terms; the call does not send them (3.11, 5.16). */
const register = ({ terms: _accepted, ...draft }: registration.RegistrationForm) => call(registration.add, draft)

/** The public form for new customers (1.10, 2.57). */
export function RegisterScreen() {
  const [isDone, setDone] = useState(false)
  if (isDone) return <RegisteredScreen />
  return (
    <PublicScreen
      title="Register"
      wide
      footer={
        <>
          Already registered? <Link to="/login">Log in</Link>
        </>
      }
    >
      <SchemaForm
        schema={registration.RegistrationForm}
        defaults={{ civility: 'Mr' }}
        call={register}
        columns={2}
        draft="register"
        submitLabel="Register"
        onDone={() => setDone(true)}
      >
        <TitleField name="civility" />
        <TextField name="firstName" label="First Name" max={limits.personNameMaxChars} autoComplete="given-name" />
        <TextField name="lastName" label="Last Name" max={limits.personNameMaxChars} autoComplete="family-name" />
        <TextField
          name="organizationName"
          label="Organization"
          max={limits.organizationNameMaxChars}
          autoComplete="organization"
          help="Letters, numbers, - and _"
        />
        <UniqueEmailField name="email" label="Email" endpoint={registration.emailAvailable} autoComplete="email" />
        <PhoneField name="mobile" label="Mobile" />
        <PhoneField name="landline" label="Landline" />
        <PhoneField name="fax" label="Fax" />
        <CheckboxField
          name="terms"
          short="Terms of Use"
          label={
            <>
              I accept the{' '}
              <a href={settings().company.termsOfUse} target="_blank" rel="noopener noreferrer">
                Terms of Use
              </a>
            </>
          }
        />
      </SchemaForm>
    </PublicScreen>
  )
}
