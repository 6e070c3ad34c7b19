import { isEndpoint } from '../../shared/contract/src/endpoint.ts'
import * as contract from '../../shared/contract/src/index.ts'
import * as releaseCalls from '../../shared/contract/src/releaseCalls.ts'
import { listFiles, listRemotes, readText } from '../workspace/files.ts'

const parts = ['host', ...listRemotes()]
const records = listFiles('.', /\.txt$/).filter((file) => /^(?:host|remote-[a-z0-9-]+)\/records\//.test(file))
const asked = new Set(
  records.flatMap((file) => [...readText(file).matchAll(/\basks ([A-Z]+ \S+)/g)].map(([, name = '']) => name)),
)

it('finds the records of every part', () => {
  const tests = listFiles('.', /records\.test\.tsx$/)
  expect(parts.length).toBeGreaterThan(7)
  expect(parts.filter((part) => !tests.some((test) => test.startsWith(`${part}/`)))).toEqual([])
  expect(parts.filter((part) => !records.some((record) => record.startsWith(`${part}/`)))).toEqual([])
})

/** Made by the page around screens, after a sign-in, or only named in a sentence or a right. */
const notOfScreens = [
  'GET /Release/contract',
  'GET /Release/judge',
  'GET /account/getIFU',
  'GET /account/validateToken',
  'POST /Release/activate',
  'POST /Release/report',
  'POST /Release/reportErrors',
  'POST /Release/reportTimes',
  'POST /account/announceLaunch',
  'POST /account/respondToMFA',
  'PUT /Release/publish/:part',
  'PUT /Release/sign/:part/:releaseId',
]
/**
 * The walker does not get there: an answer is needed in which several facts fit together, a word that has to be typed,
 * a file, or a secret in the address. Tests of their own make them. Nothing may come to either list.
 */
const outOfReach = [
  'DELETE /Scan/delete/:organizationId',
  'DELETE /Scan/purge/:organizationId',
  'GET /Release/getPreview',
  'GET /Scan/findDestination',
  'GET /Scan/getTransferReport',
  'POST /ApiToken/approveDevice',
  'POST /ApiToken/denyDevice',
  'POST /ApiToken/getDevice',
  'POST /Organization/assignLicenses/:id',
  'POST /Organization/startExport/:id',
  'POST /Organization/startImport/:id',
  'POST /Release/endPreviews',
  'POST /Release/keep',
  'POST /Release/openPreview',
  'POST /Release/preview',
  'POST /Release/promoteCanary',
  'POST /Release/rollback',
  'POST /Release/setTrust',
  'POST /Release/stopCanary',
  'POST /Scan/addSample/:organizationId',
  'POST /Scan/transfer/:organizationId',
  'POST /Scan/visitShared',
  'POST /Webhook/replaySince/:id',
  'POST /Webhook/sendTest/:id',
  'POST /account/addFirstAdministrator',
  'POST /account/checkSetupLink',
  'POST /account/updatePreferences',
  'POST /businessUser/resetTemporaryPassword/:id',
  'PUT /Release/setBudgets/:part',
  'PUT /Release/setNotices/:part',
  'PUT /Scan/renameFilter/:id',
]

/** `complaint.assign`, or a call of releases by its name alone. */
function* listNamed(text: string): Generator<string> {
  for (const [group, calls] of Object.entries(contract))
    if (typeof calls === 'object' && calls !== null && text.includes(`${group}.`))
      for (const [name, call] of Object.entries(calls))
        if (isEndpoint(call) && new RegExp(`\\b${group}\\.${name}\\b`).test(text)) yield call.name
  for (const [name, call] of Object.entries(releaseCalls))
    if (isEndpoint(call) && new RegExp(`\\b${name}\\b`).test(text)) yield call.name
}

it('finds every call that a screen names in a record of a screen', () => {
  const sources = listFiles('.', /\.tsx?$/).filter(
    (file) => /^(?:host|remote-[a-z0-9-]+)\/src\//.test(file) && !/\.test\.|InTests\.|\/testing\//.test(file),
  )
  const named = new Set(sources.flatMap((file) => [...listNamed(readText(file))]))
  expect(named.size).toBeGreaterThan(100)
  expect([...named].filter((name) => !asked.has(name)).sort()).toEqual([...notOfScreens, ...outOfReach].sort())
})
