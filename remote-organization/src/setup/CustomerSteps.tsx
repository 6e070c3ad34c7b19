import { businessUser, organization, scan } from '@dmp/contract'
import type { Readiness } from '@dmp/contract/organization'
import { useAct, useCan, useUser } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { Go } from './ProviderSteps.tsx'
import { Steps, type Step } from './Steps.tsx'

interface Of {
  readonly id: string
  readonly readiness: Readiness
}

export const isReady = ({ status, hasDatastore, confirmedAdministrators, people, scans }: Readiness): boolean =>
  status === 'Activated' && hasDatastore && confirmedAdministrators > 0 && people > 1 && scans > 0

/** What a customer needs until its people work: for its own administrators, and for the provider's. */
export function CustomerSteps({ id, readiness }: Of) {
  const isOwn = useUser().organizationId === id
  const mayAddUser = useCan(businessUser.add)
  return (
    <Steps
      label="First steps"
      steps={[
        ...(readiness.status === 'Activated' ? [] : [activation]),
        datastoreStep(readiness, isOwn),
        ...(isOwn ? [] : [administratorStep(readiness), licenseStep(readiness)]),
        {
          title: 'Add colleagues',
          state: readiness.people > 1 ? 'done' : 'open',
          text:
            readiness.people > 1 ? `${readiness.people} people have an account.` : 'So far one person has an account.',
          action: mayAddUser && <Go to="/user/add">Add user</Go>,
        },
        pictureStep({ id, readiness }, isOwn),
      ]}
    />
  )
}

const activation: Step = {
  title: 'Activate the organization',
  state: 'open',
  text: 'It is deactivated: nobody in it can sign in, and nothing can be uploaded.',
}

const datastoreStep = ({ hasDatastore }: Readiness, isOwn: boolean): Step => ({
  title: 'Datastore',
  state: hasDatastore ? 'done' : 'open',
  text: hasDatastore
    ? 'Scans have a place to be stored in.'
    : isOwn
      ? 'Your provider still has to create it. Until then nothing can be uploaded.'
      : 'Nothing can be uploaded without it. Press Create Datastore.',
})

function administratorStep({ confirmedAdministrators, invitation }: Readiness): Step {
  const mails = {
    sent: 'The mail to them has left.',
    waiting: 'The mail to them is still waiting to be sent.',
    over: 'Their temporary password is over; reset it to send another one.',
    none: 'No mail to them is on record; reset their temporary password to send one.',
  } as const
  return {
    title: 'Its administrator has signed in',
    state: confirmedAdministrators > 0 ? 'done' : 'open',
    text:
      confirmedAdministrators > 0
        ? 'An administrator has signed in and can add people.'
        : invitation
          ? `${invitation.email} is invited and has not signed in yet. ${mails[invitation.mail]}`
          : 'It has no administrator who can sign in. Add one.',
    action: confirmedAdministrators === 0 && !invitation && <Go to="/user/add">Add user</Go>,
  }
}

const licenseStep = ({ saas }: Readiness): Step => ({
  title: 'Licenses',
  state: saas.length > 0 ? 'done' : 'optional',
  text: saas.length > 0 ? `Licensed: ${saas.join(', ')}.` : 'No add-on app is licensed. Scans can be viewed without.',
})

const storedText = (scans: number): string =>
  scans === 0 ? 'No scans are stored yet.' : scans === 1 ? '1 scan is stored.' : `${scans} scans are stored.`

function pictureStep({ id, readiness }: Of, isOwn: boolean): Step {
  const { scans, sample } = readiness
  return {
    title: 'First scans',
    state: scans > 0 ? 'done' : 'open',
    text: `${storedText(scans)}${
      sample ? ' The sample study is there as well; it is a drawn phantom and nobody’s picture.' : ''
    }`,
    action: <PictureActions id={id} readiness={readiness} isOwn={isOwn} />,
  }
}

function PictureActions({ id, readiness: { hasDatastore, status, sample, scans }, isOwn }: Of & { isOwn: boolean }) {
  const navigate = useNavigate()
  const refreshes = [organization.getReadiness, organization.getSetup, ...scan.scanLists]
  const open = (seriesUID: string) => navigate(`/scan/detail/${id}/${seriesUID}`)
  const add = useAct(scan.addSample, { refreshes, onDone: ({ seriesUID }) => open(seriesUID) })
  const remove = useAct(scan.removeSample, { refreshes })
  const mayAdd = useCan(scan.addSample)
  if (!hasDatastore || status !== 'Activated') return null
  return (
    <>
      {isOwn && scans === 0 && <Go to="/scan/upload">Upload scans</Go>}
      {mayAdd && !sample && scans === 0 && (
        <Button loading={add.busy} onClick={() => void add.act({ organizationId: id })}>
          Add the sample study
        </Button>
      )}
      {sample && <Button onClick={() => open(sample.seriesUID)}>Look at the sample</Button>}
      {mayAdd && sample && (
        <Button loading={remove.busy} onClick={() => void remove.act({ organizationId: id })}>
          Remove the sample
        </Button>
      )}
      <ErrorAlert error={add.error} onClose={add.reset} />
      <ErrorAlert error={remove.error} onClose={remove.reset} />
    </>
  )
}
