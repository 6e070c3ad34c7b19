import { EmailField, PasswordField, SchemaForm } from '@dmp/kit/form'
import { Link, Route, Routes } from '@dmp/kit/router'
import { PublicScreen } from '@dmp/kit/screen'
import * as v from 'valibot'

const text = v.pipe(v.string('Text.'), v.nonEmpty('This is missing.'))
const Form = v.object({ email: text, password: text })
export type Sent = v.InferOutput<typeof Form>

/** A part with a sign-in page: its title, and who gets what is sent. */
export const createSignInPart = (title: string, send: (values: Sent) => Promise<unknown>) => ({
  App: () => (
    <Routes>
      <Route
        path="/login"
        element={
          <PublicScreen title={title}>
            <SchemaForm schema={Form} call={send} submitLabel="Submit" onDone={() => undefined}>
              <EmailField name="email" label="Email" autoComplete="username" autoFocus />
              <PasswordField name="password" label="Password" autoComplete="current-password" />
            </SchemaForm>
            <Link to="/register">Register</Link>
          </PublicScreen>
        }
      />
    </Routes>
  ),
})
