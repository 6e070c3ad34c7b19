import { useState } from 'react'
import { audit, businessUser, limits } from '@dmp/contract'
import type { AccessAlert } from '@dmp/contract/audit'
import { useCan, useData, personName } from '@dmp/kit'
import { FormModal, TextAreaField } from '@dmp/kit/form'
import { Link, useParams } from '@dmp/kit/router'
import { DateText, Facts, Screen, Section } from '@dmp/kit/screen'
import { ActivitySection } from '@dmp/kit/table'
import { Button, notify, StatusBadge } from '@dmp/kit/ui'
import { toRuleText, toStateText, toStateTone } from './alertTexts.ts'

/** One alert, what somebody made of it, and exactly what it counts. */
export function AlertDetailScreen() {
  const { id = '' } = useParams()
  return (
    <Screen
      title="Alert"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Audit', url: '/audit' },
        { name: 'Alerts', url: '/audit/alerts' },
        { name: 'Alert' },
      ]}
    >
      <AlertDetail id={id} />
    </Screen>
  )
}

function AlertDetail({ id }: { id: string }) {
  const item = useData(audit.getAlert, { id })
  const mayOpen = useCan(businessUser.get)
  return (
    <>
      <Section title={toRuleText(item.rule)}>
        <Facts
          facts={[
            {
              label: 'Person',
              value: mayOpen ? (
                <Link to={`/user/detail/${item.userId}`}>
                  <bdi>{personName(item.person)}</bdi>
                </Link>
              ) : (
                personName(item.person)
              ),
            },
            { label: 'Email', value: item.personEmail },
            { label: 'Different patients', value: item.patients },
            { label: 'Organization of the patients', value: item.organization },
            { label: 'From', value: <DateText value={item.firstDate} format="moment" /> },
            { label: 'Until', value: <DateText value={item.lastDate} format="moment" /> },
            { label: 'Told on', value: <DateText value={item.raisedDate} format="moment" /> },
          ]}
        />
      </Section>
      <Outcome item={item} />
      <ActivitySection
        of={{
          actorId: item.userId,
          organizationId: item.organizationId,
          from: item.firstDate,
          to: toEnd(item.lastDate),
          opened: true,
        }}
      />
    </>
  )
}

/** The filter ends before its end. */
const toEnd = (date: string): string => new Date(Date.parse(date) + 1).toISOString()

function Outcome({ item }: { item: AccessAlert }) {
  const mayAcknowledge = useCan(audit.acknowledgeAlert)
  const [isAsking, setIsAsking] = useState(false)
  const isOpen = item.acknowledgedDate === null
  const button = (
    <Button type="primary" onClick={() => setIsAsking(true)}>
      Looked into…
    </Button>
  )
  return (
    <Section title="Outcome" extra={isOpen && mayAcknowledge && button}>
      <Facts
        facts={[
          { label: 'State', value: <StatusBadge value={toStateText(item)} tone={toStateTone(item)} /> },
          { label: 'By', value: item.acknowledgedBy && personName(item.acknowledgedBy) },
          { label: 'On', value: <DateText value={item.acknowledgedDate} format="moment" /> },
          { label: 'Note', value: item.note, wide: true },
        ]}
      />
      {isAsking && <AcknowledgeModal id={item.id} onClose={() => setIsAsking(false)} />}
    </Section>
  )
}

function AcknowledgeModal({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  return (
    <FormModal
      title="Looked into"
      schema={audit.AlertNote}
      draft={false}
      call={audit.acknowledgeAlert}
      input={{ id }}
      refreshes={[audit.listAlerts]}
      submitLabel="Save"
      onDone={() => {
        notify.success('The alert is closed')
        onClose()
      }}
      onClose={onClose}
    >
      <TextAreaField
        name="note"
        label="What you found out"
        max={limits.alertNoteMaxChars}
        help="Stays with the alert and cannot be changed later. Name no patients."
      />
    </FormModal>
  )
}
