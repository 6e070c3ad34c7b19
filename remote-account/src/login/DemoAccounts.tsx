import { Button } from '@dmp/kit/ui'
import type { Credentials } from './LoginScreen.tsx'

const password = 'DemoPassw0rd!'

/** The accounts that a demo server seeds. */
const accounts = [
  { email: 'super@dmp.example', note: 'Super Administrator' },
  { email: 'sys@dmp.example', note: 'System Administrator' },
  { email: 'admin@north.example', note: 'Administrator' },
  { email: 'staff@north.example', note: 'Staff' },
  { email: 'admin@south.example', note: 'Administrator' },
  { email: 'mfa@north.example', note: 'Verification code' },
  { email: 'new@north.example', note: 'New password' },
  { email: 'service@north.example', note: 'Service User' },
] as const

/** One click fills the form; only where the server says that it is a demo. */
export function DemoAccounts({ onPick }: { onPick: (credentials: Credentials) => void }) {
  return (
    <section aria-labelledby="demo-accounts" className="login-demo">
      <h2 id="demo-accounts">Demo accounts</h2>
      <ul>
        {accounts.map(({ email, note }) => (
          <li key={email}>
            <Button type="link" size="small" onClick={() => onPick({ email, password })}>
              {email}
            </Button>
            <span>{note}</span>
          </li>
        ))}
      </ul>
      <p>
        This demo sends its mails to the{' '}
        <a href="/dev/mail" target="_blank" rel="noopener noreferrer">
          demo mailbox
        </a>
        .
      </p>
    </section>
  )
}
