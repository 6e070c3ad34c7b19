import { organization, scan } from '@dmp/contract'
import type { Setup, TestResult } from '@dmp/contract/organization'
import { useAct } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { DateText, ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { Steps, type Step } from './Steps.tsx'

const toState = (isDone: boolean): Step['state'] => (isDone ? 'done' : 'open')

interface Tried {
  readonly test?: TestResult | null | undefined
  readonly isProven: boolean
}

/** The newest test counts; without one, that it worked already. */
const toTestState = ({ test, isProven }: Tried): Step['state'] =>
  test ? (test.isGood ? 'done' : 'failed') : toState(isProven)

export const isSetUp = (setup: Setup): boolean =>
  setup.company.isNamed &&
  setup.company.isAddressed &&
  toTestState(setup.storage) === 'done' &&
  toTestState(setup.mail) === 'done' &&
  setup.administrators > 1 &&
  setup.firstCustomer?.hasPictures === true

function formatRoom(megabytes: number | null | undefined): string {
  if (megabytes === null || megabytes === undefined) return ''
  const gigabytes = Math.floor(megabytes / 1024)
  return megabytes < 10_240 ? ` ${megabytes} MB are free.` : ` ${gigabytes} GB are free.`
}

const Tested = ({ test, isProven, proof }: Tried & { proof: string }) =>
  test ? (
    <>
      {' '}
      {test.sentence} (<DateText value={test.date} format="moment" />)
    </>
  ) : isProven ? (
    <> {proof}</>
  ) : null

/** What an installation needs until its first customer looks at a picture; each state is read from the facts. */
export function ProviderSteps({ setup }: { setup: Setup }) {
  const refreshes = [organization.getSetup]
  const storage = useAct(organization.testStorage, { refreshes })
  const mail = useAct(organization.testMail, { refreshes })
  const steps: Step[] = [
    {
      title: 'Name your company',
      state: toState(setup.company.isNamed && setup.company.isAddressed),
      text: `People see “${setup.company.name}” in the footer and on the label, and reach the product at ${setup.company.address}. To change this, set DMP_COMPANY_NAME and DMP_PUBLIC_URL and restart the server.`,
    },
    {
      title: 'Try the storage',
      state: toTestState(setup.storage),
      text: (
        <>
          {setup.storage.sentence}
          {formatRoom(setup.storage.freeMegabytes)}
          <Tested {...setup.storage} proof="Scans are stored already." />
        </>
      ),
      action: (
        <Button loading={storage.busy} onClick={() => void storage.act({})}>
          Test storage
        </Button>
      ),
    },
    {
      title: 'Try the mail',
      state: toTestState(setup.mail),
      text: (
        <>
          {setup.mail.sentence}
          <Tested {...setup.mail} proof="Mails were sent already." />
        </>
      ),
      action: (
        <Button loading={mail.busy} onClick={() => void mail.act({})}>
          Send a test to me
        </Button>
      ),
    },
    { title: 'Add a second administrator', ...second(setup.administrators) },
    ...customerSteps(setup),
  ]
  return (
    <>
      <Steps label="Set-up steps" steps={steps} />
      <ErrorAlert error={storage.error} onClose={storage.reset} />
      <ErrorAlert error={mail.error} onClose={mail.reset} />
    </>
  )
}

const second = (administrators: number): Omit<Step, 'title'> => ({
  state: toState(administrators > 1),
  text:
    administrators > 1
      ? `The provider has ${administrators} administrators.`
      : 'You are the only administrator. A second one can let you in again if you lose your password.',
  action: <Go to="/user/add">Add user</Go>,
})

function customerSteps({ customers, firstCustomer: first }: Setup): Step[] {
  return [
    {
      title: 'Add the first customer',
      state: toState(customers > 0),
      text:
        customers > 0
          ? customers === 1
            ? 'There is 1 customer organization.'
            : `There are ${customers} customer organizations.`
          : 'Add an organization yourself, or let customers register and approve them.',
      action: <Go to="/organization/add">Add organization</Go>,
    },
    {
      title: 'Look at the first picture',
      state: toState(first?.hasPictures === true),
      text: first
        ? first.hasPictures
          ? `${first.name} has scans.`
          : first.hasDatastore
            ? `${first.name} has no scans yet. Its people can upload, or you add a sample: a drawn phantom that can be removed again.`
            : `${first.name} has no datastore yet. Create it first.`
        : 'It comes with the first customer.',
      action: first && <PictureAction first={first} />,
    },
  ]
}

function PictureAction({ first }: { first: NonNullable<Setup['firstCustomer']> }) {
  const navigate = useNavigate()
  const add = useAct(scan.addSample, {
    refreshes: [organization.getSetup, organization.getReadiness, ...scan.scanLists],
    onDone: ({ seriesUID }) => navigate(`/scan/detail/${first.id}/${seriesUID}`),
  })
  if (first.hasPictures) return <Go to="/scan">Open scans</Go>
  if (!first.hasDatastore) return <Go to={`/organization/detail/${first.id}`}>Open {first.name}</Go>
  return (
    <>
      <Button loading={add.busy} onClick={() => void add.act({ organizationId: first.id })}>
        Add the sample study
      </Button>
      <ErrorAlert error={add.error} onClose={add.reset} />
    </>
  )
}

export function Go({ to, children }: { to: string; children: ReactNode }) {
  const navigate = useNavigate()
  return <Button onClick={() => navigate(to)}>{children}</Button>
}
