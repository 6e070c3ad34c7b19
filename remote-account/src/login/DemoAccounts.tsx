import { dataWord } from '@dmp/kit'
import { demoAccounts, demoPassword, type DemoAccount } from '@dmp/contract/demoAccounts'
import { roleDisplayNames } from '@dmp/contract/policy'
import { Button } from '@dmp/kit/ui'
import type { Credentials } from './LoginScreen.tsx'

function toAccountText({ role, hasMfa, isNew }: DemoAccount): string {
  if (hasMfa) return 'Verification code'
  return isNew ? 'New password' : dataWord(roleDisplayNames[role])
}

/** One click fills the form. Loaded only where the server says that it is a demo. */
export default function DemoAccounts({ onPick }: { onPick: (credentials: Credentials) => void }) {
  return (
    <section aria-labelledby="demo-accounts" className="login-demo">
      <h2 id="demo-accounts">Demo accounts</h2>
      <ul>
        {demoAccounts.map((account) => (
          <li key={account.id}>
            <Button type="link" size="small" onClick={() => onPick({ email: account.email, password: demoPassword })}>
              <bdi>{account.email}</bdi>
            </Button>
            <span>{toAccountText(account)}</span>
          </li>
        ))}
      </ul>
      <p>
        This demo delivers its mail to the{' '}
        <a href="/dev/mail" target="_blank" rel="noopener noreferrer">
          demo mailbox
        </a>
        .
      </p>
    </section>
  )
}
