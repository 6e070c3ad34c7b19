import { listFiles, readText } from '../workspace/files.ts'
import { walkSyntax, type SyntaxNode } from '../../shared/build/src/syntaxTree.ts'

/**
 * Every place of the server where work waits for other work, and whose turn comes next there. Work of several customers
 * waits in fair turns, so that none holds up another; a plain semaphore is for work of one owner alone.
 */
const turns: Readonly<Record<string, string>> = {
  'server/src/core/arrivals.ts FairTurns': 'customers in turn, then their people, piece by piece',
  'server/src/core/fairTurns.ts FairQueue': 'customers in turn, then their people: what all fair turns are made of',
  'server/src/createDependencies.ts ByteBudget': 'the customer that holds the least memory, then the person',
  'server/src/db/backFills/fillBack.ts back-fill': 'the server itself',
  'server/src/db/client.ts FairTurns': 'customers in turn, then their people; an address until it is known who asks',
  'server/src/dicom/objectReader.ts FairTurns': 'customers in turn, then their people',
  'server/src/dicom/pictureRenderer.ts FairQueue': 'customers in turn, then their people',
  'server/src/gateway/dictionaries.ts FairTurns':
    'one at a time for each address, or person who is known; equal ones are joined',
  'server/src/gateway/publishedFiles.ts FairTurns': 'addresses, or people who are known; equal files are joined',
  'server/src/http/longBodies.ts FairTurns': 'customers in turn, then their people',
  'server/src/http/requestTurns.ts FairTurns':
    'customers in turn, then their people; an address until somebody is known',
  'server/src/identity/password.ts FairTurns': 'addresses in turn, or customers and their people once those are known',
  'server/src/modules/audit/audit.handlers.ts FairTurns': 'customers in turn, then their people',
  'server/src/modules/audit/chainKeeping.ts audit-bucket': 'the server itself',
  'server/src/modules/audit/chainKeeping.ts audit-check': 'first come; of each customer one at most is waiting',
  'server/src/modules/audit/chainKeeping.ts audit-mail': 'the server itself',
  'server/src/modules/complaint/complaint.image.ts FairTurns': 'customers in turn, then their people',
  'server/src/modules/disk/diskWatch.ts disk-notice': 'the server itself',
  'server/src/modules/dicomNode/committing.ts FairTurns': 'customers in turn, then their partners',
  'server/src/modules/dicomweb/describedObjects.ts createSemaphore': 'one owner: the values of one request',
  'server/src/modules/dicomweb/qido.ts FairTurns': 'one of each person at a time, in their order',
  'server/src/modules/organization/organization.logo.ts FairTurns': 'customers in turn, then their people',
  'server/src/modules/release/door/arrivals.ts FairTurns': 'builds of one token after those of another, one at a time',
  'server/src/modules/release/door/judge.ts FairTurns': 'customers in turn, then their people and machines',
  'server/src/db/hourlyJob.ts kind': 'one of a kind at a time; who has such work stands here by itself',
  'server/src/modules/scan/check/scrub.ts workHourly': 'the server itself, in the turn of nobody who waits',
  'server/src/modules/scan/download/download.handlers.ts FairTurns': 'customers in turn, then their people',
  'server/src/modules/scan/headers/headerRounds.ts workHourly': 'the server itself, in the turn of nobody who waits',
  'server/src/modules/scan/intake/commit.ts JoinedWork':
    'first come; each customer by itself, and all that waits goes together',
  'server/src/modules/scan/intake/intakeFlow.ts createSemaphore': 'one owner: the objects of one request',
  'server/src/modules/scan/reading/thumbnails.ts FairTurns': 'customers in turn',
  'server/src/modules/scan/transfer/seriesCopy.ts FairTurns': 'customers in turn, image by image',
  'server/src/modules/scan/transfer/transferRunner.ts held-scan':
    'one of each customer at a time, sixteen of the server',
  'server/src/modules/scan/transfer/transferRunner.ts held-scan-given-up': 'first come; each takes a moment',
  'server/src/modules/scan/transfer/transferRunner.ts transfer':
    'one of each customer at a time, sixteen of the server',
  'server/src/modules/scan/transfer/transferRunner.ts transfer-given-up': 'first come; each takes a moment',
  'server/src/modules/webhook/webhookSender.ts FairTurns': 'customers in turn, then their webhooks',
  'server/src/operator/backup/checkSet.ts ByteBudget': 'one owner: the check of a backup, in a process of its own',
  'server/src/outside/mail.ts mail': 'first come; whatever sends mails has limits by person and address',
  'server/src/outside/segments/segmentWriter.ts JoinedWork':
    'first come; all that waits goes with one write or one sync',
}

const makers = new Set(['createSemaphore', 'FairTurns', 'FairQueue', 'ByteBudget', 'JoinedWork', 'workHourly'])
const code = /^server\/src\/(?!.*(?:\.test\.|InTests))(?!testing\/|.*\/testing\/)/

type Callee = SyntaxNode & { name?: string; property?: { name?: string }; object?: { name?: string } }

function* findWaiting(file: string, text: string): Generator<string> {
  for (const { node } of walkSyntax(file, text)) {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') continue
    const { callee, arguments: given } = node as SyntaxNode & { callee: Callee; arguments: readonly SyntaxNode[] }
    if (makers.has(callee.name ?? '')) yield `${file} ${callee.name}`
    if (callee.object?.name === 'jobs' && callee.property?.name === 'work')
      yield `${file} ${String(given[0]?.['value'] ?? given[0]?.['name'])}`
  }
}

it('says of each line of waiting work whose turn is next, and of no other [P18]', () => {
  const found = listFiles('.', /\.ts$/)
    .filter((file) => code.test(file))
    .flatMap((file) => [...findWaiting(file, readText(file))])
  expect([...new Set(found)].sort()).toEqual(Object.keys(turns).sort())
})
