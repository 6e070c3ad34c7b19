import { inbox } from '@dmp/contract'
import { inboxKinds, type InboxChoice, type InboxSetting } from '@dmp/contract/inbox'
import { useAct, useData } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { Link } from '@dmp/kit/router'
import { ErrorAlert, Screen, Section } from '@dmp/kit/screen'
import './inbox.css'

const labels: Readonly<Record<InboxChoice, string>> = {
  Off: 'Do not tell me',
  Here: 'In the inbox',
  AtOnce: 'Inbox and mail at once',
  Daily: 'Inbox and a daily mail',
}

export function InboxChoicesScreen() {
  return (
    <Screen
      title="Inbox choices"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Inbox', url: '/inbox' }, { name: 'Choices' }]}
    >
      <ChoicesSection />
    </Screen>
  )
}

/** Each choice holds as soon as it is made, on every device. */
function ChoicesSection() {
  const settings = useData(inbox.listChoices, {})
  return (
    <Section title="What to be told" extra={<Link to="/inbox">Open the inbox</Link>}>
      <p className="inbox-note">
        A mail at once gathers what happens within a quarter of an hour; the daily mail goes out at seven in the
        morning. Mails name no patients, and you are never told of what you did yourself.
      </p>
      <ul className="inbox-choices">
        {settings.filter(isKnown).map((setting) => (
          <KindChoice key={setting.kind} setting={setting} />
        ))}
      </ul>
    </Section>
  )
}

/** Of a newer server there may be kinds that this page has no words for; what was chosen for them stays. */
const isKnown = ({ kind }: InboxSetting): boolean => Object.hasOwn(inboxKinds, kind)

function KindChoice({ setting: { kind, choice } }: { setting: InboxSetting }) {
  const { act, busy, error } = useAct(inbox.choose, { refreshes: [inbox.count, inbox.list] })
  const { title, offers } = inboxKinds[kind]
  return (
    <li>
      <Choice
        label={title}
        options={offers.map((value) => ({ value, label: labels[value] }))}
        value={choice}
        disabled={busy || offers.length === 1}
        onChange={(next) => void act({ kind, choice: next })}
      />
      <ErrorAlert error={error} />
    </li>
  )
}
