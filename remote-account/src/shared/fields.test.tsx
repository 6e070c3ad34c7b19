import { account, apiToken, dicomPartner, station, webhook } from '@dmp/contract'
import {
  aDelivery,
  aDeliveryDetail,
  aDevice,
  aDicomNode,
  aDicomPartner,
  anApiToken,
  aSessionRow,
  aStation,
  aUser,
  aWebhook,
} from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, expectTable, ownValues, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />

it('shows each field of the own profile at its label [2.46, 3.04, 9.10]', async () => {
  const stored = changing(aUser(), { keep: ['policy', 'role.role', 'status.status'] })
  renderScreen(ui, {
    at: '/account/profile',
    answers: [answer(account.profile, stored.now), answer(account.getPreferences, { mfaEnabled: false })],
  })
  await screen.findByRole('heading', { name: 'Profile Information' })
  await stored.look((item) => {
    expectFacts(
      'Basic',
      item,
      [
        ['Login Email', 'email'],
        ['Organization', 'organization.name'],
        ['Created Date', 'createdDate'],
        ['Modified date', 'updatedDate'],
      ],
      'day',
    )
    expectFacts('Profile Information', item, [
      ['Title', 'civility'],
      ['First name', 'firstName'],
      ['Last name', 'lastName'],
      ['Mobile', 'mobile'],
      ['Landline', 'landline'],
      ['Fax', 'fax'],
    ])
  })
})

it('shows each field of a session under its heading [P04]', async () => {
  const row = ownValues(aSessionRow({ isCurrent: false }))
  renderScreen(ui, { at: '/account/security', answers: [answer(account.listSessions, [row])] })
  await screen.findByRole('table', { name: 'Signed-in devices' })
  expectTable(
    'Signed-in devices',
    [row],
    [
      ['Device', 'device'],
      ['Address', 'address'],
      ['Signed in', 'startedDate'],
      ['Last seen', 'lastSeenDate'],
      ['Action', 'id', { text: () => 'Sign out' }],
    ],
  )
})

it('lists each field of an API token under its heading, in the file and in the order [P15, P35]', () =>
  expectList({
    ui,
    at: '/account/api-tokens',
    as: 'admin',
    list: apiToken.list,
    example: anApiToken({ scopes: ['upload'] }),
    keep: ['status', 'scopes'],
    label: 'API tokens',
    fields: [
      ['Name', 'name'],
      ['Status', 'status'],
      ['Scopes', '', { sort: false, text: () => 'Upload' }],
      ['Owner', 'owner'],
      ['Expires', 'expiresDate'],
      ['Last used', 'lastUsedDate'],
      ['Networks', 'addresses', { sort: false }],
      ['Organization', 'organization'],
      ['Created', 'createdDate'],
    ],
  }))

it('shows each field of an API token at its label [P35]', async () => {
  const stored = changing(anApiToken({ endedDate: '2026-05-07T09:00:00.000Z', endedBy: 'Ms Ada Berg' }), {
    keep: ['id', 'status', 'scopes', 'addresses'],
  })
  renderScreen(ui, {
    at: `/account/api-tokens/detail/${stored.now().id}`,
    as: 'admin',
    answers: [answer(apiToken.get, stored.now)],
  })
  await screen.findByRole('heading', { name: 'Details' })
  await stored.look((item) => {
    expectFacts('Details', item, [
      ['Name', 'name'],
      ['Organization', 'organization'],
      ['May', '', { text: () => 'Search, view and download scansUpload scans' }],
      ['Networks', 'addresses'],
      ['Secret ends with', 'hint'],
      ['Owner', 'owner'],
      ['Created', 'createdDate'],
      ['Expires', 'expiresDate'],
      ['Last used', 'lastUsedDate'],
      ['From address', 'lastUsedAddress'],
    ])
    expectFacts('Status', item, [
      ['Status', 'status'],
      ['Ended', 'endedDate'],
      ['By', 'endedBy'],
    ])
  })
})

it('shows each field of a machine that asks at its label [P45]', async () => {
  const item = ownValues(aDevice(), { keep: ['scopes'] })
  const answers = [answer(apiToken.getDevice, item)]
  const { user } = renderScreen(ui, { at: '/account/device?code=BCDF-GHJK', as: 'admin', answers })
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await screen.findByRole('heading', { name: 'What asks' })
  expectFacts('What asks', item, [
    ['Calls itself', 'name'],
    ['Program', 'clientId'],
    ['Asks for', '', { text: () => 'Upload scans' }],
    ['From address', 'address'],
    ['Asked', 'requestedDate'],
    ['Code ends', 'expiresDate'],
  ])
})

it('lists each field of a DICOM partner under its heading, in the file and in the order [P15, P51]', () =>
  expectList({
    ui,
    at: '/account/dicom-partners',
    as: 'admin',
    list: dicomPartner.list,
    example: aDicomPartner(),
    keep: ['status', 'services'],
    label: 'DICOM partners',
    answers: [answer(dicomPartner.getNode, aDicomNode()), answer(dicomPartner.listCallers, [])],
    fields: [
      ['Name', 'name'],
      ['Status', 'status'],
      ['AE title', 'aeTitle'],
      ['Services', 'services', { sort: false }],
      ['Last seen', 'lastSeenDate', { dates: 'moment' }],
      ['Networks', 'addresses', { sort: false }],
      ['Organization', 'organization'],
      ['Created', 'createdDate'],
    ],
  }))

it('shows each field of a DICOM partner at its label [P51]', async () => {
  const stored = changing(aDicomPartner({ fingerprint: 'AB'.repeat(32) }), {
    keep: ['id', 'status', 'services', 'addresses', 'host', 'port'],
  })
  renderScreen(ui, {
    at: `/account/dicom-partners/${stored.now().id}`,
    as: 'admin',
    answers: [answer(dicomPartner.get, stored.now), answer(dicomPartner.getNode, aDicomNode())],
  })
  await screen.findByRole('heading', { name: 'Details' })
  await stored.look((item) => {
    expectFacts('Details', item, [
      ['Name', 'name'],
      ['Organization', 'organization'],
      ['AE title', 'aeTitle'],
      ['May', '', { text: () => 'Send scans (C-STORE, storage commitment)' }],
      ['Networks', 'addresses'],
      ['Certificate', 'fingerprint'],
      ['Listens at', '', { text: () => '192.0.2.7:104' }],
      ['Owner', 'owner'],
      ['Created', 'createdDate'],
    ])
    expectFacts('Status', item, [
      ['Status', 'status'],
      ['Last seen', 'lastSeenDate'],
      ['From address', 'lastSeenAddress'],
    ])
  })
})

it('lists each field of a webhook under its heading, in the file and in the order [P15, P49]', () =>
  expectList({
    ui,
    at: '/account/webhooks',
    as: 'admin',
    list: webhook.list,
    example: aWebhook(),
    keep: ['status', 'kinds', 'failingSince'],
    label: 'Webhooks',
    fields: [
      ['Name', 'name'],
      ['Status', 'status'],
      ['Address', 'url'],
      ['Last delivered', 'lastDeliveredDate'],
      ['Owner', 'owner'],
      ['Told of', '', { sort: false, text: () => 'Series quiet, Series deleted' }],
      ['Organization', 'organization'],
      ['Created', 'createdDate'],
    ],
  }))

it('shows each field of a webhook at its label [P49]', async () => {
  const stored = changing(
    aWebhook({
      failingSince: '2026-05-06T10:00:00.000Z',
      nextTryDate: '2026-05-06T11:00:00.000Z',
      previousSecretUntil: '2026-05-07T08:00:00.000Z',
      lastProblem: 'BadStatus',
      lastAnswerStatus: 503,
    }),
    { keep: ['id', 'status', 'kinds', 'lastProblem', 'lastAnswerStatus'] },
  )
  renderScreen(ui, {
    at: `/account/webhooks/${stored.now().id}`,
    as: 'admin',
    answers: [answer(webhook.get, stored.now), answer(webhook.listDeliveries, { rows: [aDelivery()], total: 1 })],
  })
  await screen.findByRole('heading', { name: 'Details' })
  await stored.look((item) => {
    expectFacts('Details', item, [
      ['Name', 'name'],
      ['Organization', 'organization'],
      ['Address', 'url'],
      [
        'Told when',
        '',
        { text: () => 'A series is complete, as far as can be told: nothing arrives any moreA series is deleted' },
      ],
      ['Owner', 'owner'],
      ['Created', 'createdDate'],
    ])
    expectFacts('Status', item, [
      ['Status', 'status', { text: () => 'Failing' }],
      ['Last delivered', 'lastDeliveredDate'],
      ['Failing since', 'failingSince'],
      ['Last answer', '', { text: () => 'The receiver answered that it did not take the message. HTTP 503' }],
      ['Next try', 'nextTryDate'],
      ['Earlier secret until', 'previousSecretUntil'],
    ])
  })
})

it('shows each field of a delivery at its label [P49]', async () => {
  const stored = changing(aDeliveryDetail({ nextTryDate: '2026-05-06T11:00:00.000Z' }), {
    keep: ['id', 'webhookId', 'type', 'status', 'tries', 'milliseconds', 'answerStatus'],
  })
  renderScreen(ui, {
    at: `/account/webhooks/${stored.now().webhookId}/${stored.now().id}`,
    as: 'admin',
    answers: [answer(webhook.get, aWebhook()), answer(webhook.getDelivery, stored.now)],
  })
  await screen.findByRole('heading', { name: 'Details' })
  await stored.look((item) => {
    expectFacts('Details', item, [
      ['Message', '', { text: () => 'Series quiet' }],
      ['Status', 'status'],
      ['Id', 'id'],
      ['Created', 'createdDate'],
      ['Tries', 'tries'],
      ['Last try', 'triedDate'],
      ['Next try', 'nextTryDate'],
      ['Study', 'studyUID'],
      ['Series', 'seriesUID'],
    ])
  })
})

it('lists each field of a station under its heading, in the file and in the order [P15, P56]', () =>
  expectList({
    ui,
    at: '/account/stations',
    as: 'admin',
    list: station.list,
    example: aStation(),
    keep: ['status', 'tokenStatus', 'system', 'isOutdated', 'version', 'waiting', 'failed', 'refused'],
    label: 'Stations',
    fields: [
      ['Name', 'name'],
      ['Status', 'status'],
      ['Last seen', 'lastSeenDate', { dates: 'moment' }],
      ['Waiting', 'waiting'],
      ['Not sent', 'failed'],
      ['Refused', 'refused'],
      ['Version', 'version'],
      ['System', 'system', { sort: false }],
      ['Signed in as', 'account', { sort: false }],
      ['Token until', 'tokenExpiresDate', { sort: false }],
      ['From address', 'address', { sort: false }],
      ['Organization', 'organization'],
    ],
  }))
