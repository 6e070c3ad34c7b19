import { useState } from 'react'
import { audit, organization } from '@dmp/contract'
import type { AlertRules as Rules } from '@dmp/contract/organization'
import { useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Facts, Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { AlertRulesModal } from './AlertRulesModal.tsx'
import { toShortDay } from './alertRulesForm.ts'

/** When administrators are told of how patients are looked at; they choose it here. */
export function AlertRules({ id }: { id: string }) {
  // A server of the version before has no alerts: the rest of the page stays.
  const { data: rules } = useLookup(organization.getAlertRules, { id })
  const mayChange = useCan(organization.setAlertRules)
  const maySee = useCan(audit.listAlerts)
  const [isChanging, setIsChanging] = useState(false)
  if (rules === undefined) return null
  return (
    <Section
      title="Alerts about looks at patients"
      extra={mayChange && <Button onClick={() => setIsChanging(true)}>Change rules</Button>}
    >
      <Facts
        columns={1}
        facts={[
          { label: 'Many patients in a short time', value: toManyText(rules) },
          { label: 'Out of hours', value: toHoursText(rules) },
          { label: 'A name like one’s own', value: toNameText(rules) },
        ]}
      />
      <p className="dmp-quiet">
        {maySee && (
          <>
            <Link to="/audit/alerts">Past alerts</Link>
            {' · '}
          </>
        )}
        <Link to="/account/inbox">How you are told</Link>
      </p>
      {isChanging && <AlertRulesModal id={id} rules={rules} onClose={() => setIsChanging(false)} />}
    </Section>
  )
}

const toManyText = ({ manyPatients, patients, minutes }: Rules): string =>
  manyPatients ? `More than ${patients} different patients within ${minutes} minutes` : 'Off'

const toNameText = ({ ownName }: Rules): string =>
  ownName ? 'A patient with the family name of whoever opens it' : 'Off'

function toHoursText({ outOfHours, outOfHoursPatients, days, from, until, timeZone }: Rules): string {
  if (!outOfHours) return 'Off'
  const hours = `${days.map((day) => toShortDay(day)).join(', ')}, ${from}–${until} (${timeZone})`
  return outOfHoursPatients === 1
    ? `A patient outside of ${hours}`
    : `${outOfHoursPatients} patients outside of ${hours}`
}
