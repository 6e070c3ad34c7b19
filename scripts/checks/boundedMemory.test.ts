import { listFiles, readText } from '../workspace/files.ts'
import { walkSyntax, type SyntaxNode } from '../../shared/build/src/syntaxTree.ts'

/**
 * Every map and set that lives as long as the server or the page, and what bounds it. A new one is a `BoundedMap`, or
 * says here why it cannot grow with what callers do.
 */
const bounds: Readonly<Record<string, string>> = {
  'host/src/remotes/container.ts containers': 'one for each release that the page loaded',
  'host/src/remotes/container.ts inUse': 'one for each remote of the page',
  'host/src/remotes/container.ts releases': 'one for each remote of the page',
  'host/src/remotes/container.ts sources': 'one for each release that the page loaded',
  'host/src/remotes/loadRemote.ts leftFor': 'one for each remote of the page',
  'host/src/remotes/loadRemote.ts loadTimes': 'one for each remote of the page',
  'host/src/remotes/loadRemote.ts loadings': 'one for each module of a release',
  'host/src/remotes/errorPlaces.ts told': 'five errors of a page',
  'host/src/remotes/loadRemote.ts retryCounts': 'one for each module of a release',
  'host/src/remotes/loadRemote.ts texts': 'one for each release that the page loaded',
  'host/src/remotes/overrideState.ts listeners': 'removed by whoever added it',
  'host/src/remotes/pageTimes.ts #feels': 'one per part',
  'host/src/remotes/pageTimes.ts #told': 'one per part and kind of time',
  'host/src/remotes/releaseReports.ts recordedKeys': 'one for each kind of observation of a release',
  'host/src/remotes/since.ts asked': 'files that the snapshot of the page names',
  'remote-scan/src/shared/rememberedOrganization.ts listeners': 'removed by whoever added it',
  'remote-scan/src/shared/launchApp.ts announced': 'one for each launch under way',
  'remote-scan/src/upload/uploadStore.ts listeners': 'removed by whoever added it',
  'server/src/modules/scan/download/zipWriter.ts #opened': 'what is sent and three behind it',
  'server/src/modules/scan/download/uploaderDownload.ts known': 'one for each file of the uploader',
  'shared/kit/src/language/loadTexts.ts given': 'one for each part of a guest’s page',
  'server/src/core/BoundedMap.ts #entries': 'the bounded map itself',
  'server/src/core/byteBudget.ts #bytesOfCustomer': 'people whose bytes are held, within the budget',
  'server/src/core/byteBudget.ts #bytesOfPerson': 'people whose bytes are held, within the budget',
  'server/src/core/diskSpace.ts #readings': 'one for each disk',
  'server/src/core/fairQueue.ts #organizations': 'what waits, limited by the queue',
  'server/src/core/byteBudget.ts #waiting': 'readers that wait, limited for each person',
  'server/src/core/fairTurns.ts #running': 'turns under way, limited by number',
  'server/src/core/joinedWork.ts #queues': 'uploads under way, limited by number',
  'server/src/core/openResponses.ts #counts': 'open responses, limited by number',
  'server/src/core/penalties.ts #uploads': 'people with uploads under way, limited by number',
  'server/src/db/databaseHosts.ts #listeners': 'a line and the connections of a pool, which has a bound',
  'server/src/db/deletions.ts #counts': 'a number for each organization',
  'server/src/db/prepared.ts names': 'statements of the code, and one for each number of rows that a group may have',
  'server/src/db/recentReads.ts #underWay': 'rows that are being read right now',
  'server/src/db/newsWaits.ts #groups': 'groups of those that wait',
  'server/src/db/newsWaits.ts #waiting': '`mostWaiting`',
  'server/src/db/replica.ts #leave': 'a read under way, whose connections have a bound',
  'server/src/dicom/identifyingFacts.ts #judged': '`mostJudged`',
  'server/src/dicom/identifyingFacts.ts #packed': 'the facts of one object, whose header has a limit',
  'server/src/dicom/identifyingFacts.ts #phrases': 'the facts of one object, whose header has a limit',
  'server/src/dicom/identifyingFacts.ts #uids': 'the facts of one object, whose header has a limit',
  'server/src/dicom/identifyingFacts.ts #wholes': 'the facts of one object, whose header has a limit',
  'server/src/dicom/identifyingFacts.ts #words': 'the facts of one object, whose header has a limit',
  'server/src/dicom/objectReader.ts #all': 'reading threads, a fixed number',
  'server/src/dicom/pictureRenderer.ts #busyOf': 'drawing threads, a fixed number',
  'server/src/dicom/pictureRenderer.ts #underWay': 'pictures being drawn or waiting, limited by the queue',
  'server/src/modules/dicomNode/openAssociations.ts #handshakes': 'open connections, limited by address and in all',
  'server/src/modules/dicomNode/openAssociations.ts #lines': 'open lines, limited by number',
  'server/src/modules/dicomNode/openAssociations.ts #sendings': 'no more than the lines that asked for them',
  'shared/dimse/src/association.ts #cancelled': 'message ids of 16 bits, until the next request',
  'server/src/modules/dicomweb/describedObjects.ts #bulk': 'values of one request, limited by number and bytes',
  'server/src/modules/dicomweb/finishedUploads.ts #running': 'uploads that are being stored right now',
  'server/src/modules/dicomweb/keptOutcomes.ts #kept': 'so many outcomes of a person and of an organization',
  'server/src/modules/dicomweb/unfinishedUploads.ts #uploads': 'unfinished uploads, limited by number and age',
  'server/src/modules/dicomweb/uploads/uploadLeases.ts #held': 'uploads that a request writes right now',
  'shared/dicom/src/charset.ts decoders': 'one for each character set of the standard',
  'server/src/dicom/dictionary.ts byKeyword': 'the dictionary of the standard',
  'server/src/dicom/dictionary.ts byTag': 'the dictionary of the standard',
  'server/src/http/live/liveHub.ts #all': 'open channels, limited by number',
  'server/src/http/live/liveHub.ts #bySession': 'open channels, limited by number',
  'server/src/http/live/liveHub.ts #counts': 'open channels, limited by number',
  'server/src/http/live/liveHub.ts #nameless': 'open channels, limited by number',
  'server/src/modules/openapi/schemas.ts #components': 'the schemas of the contract; let go once the document is made',
  'server/src/modules/organization/import/importRunner.ts #notBefore': 'archives that lie on this server',
  'server/src/modules/organization/import/importRunner.ts #running': '`atOnce`',
  'server/src/modules/organization/oneAtATime.ts moving': 'organizations that are moved right now',
  'server/src/modules/scan/download/downloadStreams.ts #replies': 'open responses, limited by number',
  'server/src/modules/scan/intake/intakeFlow.ts #staging': 'files of one request that are being stored',
  'server/src/modules/webhook/webhookSender.ts #underWay':
    'webhooks that have or await their turn, limited by the turns',
  'server/src/outside/archive/copies.ts #copies': 'a byte limit',
  'server/src/outside/archive/copies.ts #sizes': 'a byte limit',
  'server/src/outside/objectStoreArchive.ts #owed': 'objects on their way to the archive',
  'server/src/outside/objectStoreArchive.ts #turns': 'objects on their way to the archive',
  'server/src/outside/objectStoreArchive.ts #underWay': 'objects on their way to the archive',
  'server/src/outside/objectStoreFolder.ts #folders': 'one for each folder of the two-letter tree',
  'server/src/outside/segments/segmentWriter.ts #pending': 'objects on their way into the store',
  'server/src/outside/storedObjects.ts #making': 'values that are being made right now',
  'shared/kit/src/BoundedMap.ts #entries': 'the bounded map itself',
  'shared/kit/src/api/forbidden.ts listeners': 'removed by whoever added it',
  'shared/kit/src/api/reportError.ts reportTimes': 'a few reports per hour',
  'shared/kit/src/language/textsByPart.ts listeners': 'removed by whoever added it',
  'shared/kit/src/router/PageRouter.ts #blockerFunctions': 'removed by whoever added it',
  'shared/kit/src/router/PageRouter.ts #subscribers': 'removed by whoever added it',
  'shared/kit/src/session/person.ts listeners': 'one for each module',
  'shared/kit/src/table/useRows.ts wholeLists': 'one for each call of the contract',
}

const code =
  /^(?:server|host|remote-[a-z]+|shared\/(?:contract|dicom|dimse|kit))\/src\/(?!.*(?:\.test\.|\.peers\.|InTests))(?!testing\/|.*\/testing\/)/

/** Maps and sets that begin empty in a module or in an instance: the kind that grows. */
function* findGrowing(file: string, text: string): Generator<string> {
  for (const { node, parents } of walkSyntax(file, text)) {
    const { type, callee } = node as SyntaxNode & { callee?: { name?: string }; arguments?: readonly unknown[] }
    if (type !== 'NewExpression' || !['Map', 'Set'].includes(callee?.name ?? '')) continue
    if (((node['arguments'] as readonly unknown[] | undefined) ?? []).length > 0) continue
    const [owner, , module] = parents
    const isOfModule =
      owner?.type === 'VariableDeclarator' && ['Program', 'ExportNamedDeclaration'].includes(module?.type ?? '')
    if (!isOfModule && owner?.type !== 'PropertyDefinition') continue
    const { id, key } = owner as SyntaxNode & { id?: { name: string }; key?: { type: string; name: string } }
    const name = id?.name ?? (key?.type === 'PrivateIdentifier' ? `#${key.name}` : key?.name)
    yield `${file} ${name}`
  }
}

it('every map and set that lives on has a bound, and this list names no other [P18]', () => {
  const found = listFiles('.', /\.tsx?$/)
    .filter((file) => code.test(file))
    .flatMap((file) => [...findGrowing(file, readText(file))])
  expect(found.sort()).toEqual(Object.keys(bounds).sort())
})
