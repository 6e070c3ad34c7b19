import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { exact } from './fields.ts'
import { Release } from './release.ts'
import { PartName, ReleaseId } from './remote.ts'

/** Its files lie at `/releases/host/<releaseId>/`, for everybody. */
export const getHost = endpoint({
  method: 'GET',
  path: '/Release/getHost',
  summary: 'The live host, with which a team draws the public pages of its part before their code.',
  needs: may('Release', 'Get'),
  isForMachines: true,
  query: exact({ part: PartName }),
  answer: v.object(Release.entries),
})

/**
 * The envelope (DSSE) of pages as markup, drawn by the part's own code and the host's. Where the part has release keys,
 * one of them signs it. Refused where it is of another release or host than the live one, says more addresses than the
 * part's, or holds more than markup.
 */
export const addDrawn = endpoint({
  method: 'PUT',
  path: '/Release/addDrawn/:part/:releaseId',
  summary: 'Add the public pages of a stored release as markup, which stand in a page before its code comes.',
  needs: may('Release', 'Publish'),
  isForMachines: true,
  bodyLimit: 524_288,
  params: exact({ part: PartName, releaseId: ReleaseId }),
  body: exact({ envelope: v.string('Text.') }),
})
