import { dicomFile, slice, text } from '../../../server/src/dicom/testing/dicomFile.ts'
import type { FuzzCase, HttpStep } from '../FuzzCase.ts'
import { mutate, mutateText } from '../mutate.ts'
import type { Random } from '../Random.ts'
import { printable } from './multipart.ts'

const root = '/api/Scan/uploads'
const protocol = { authorization: 'Bearer {{token}}', 'tus-resumable': '1.0.0' }
const metadata = `filename ${Buffer.from('x').toString('base64')},userId eA==`
const numbers = ['0', '-1', '1', '1e3', '0x10', ' 12', '9007199254740993', '99999999999999999999', 'NaN', ''] as const

/** Begins, continues, asks and ends uploads with wrong numbers, in any order. */
export function tus(random: Random): FuzzCase {
  const uid = `1.2.49.${random.below(2 ** 31)}.${random.below(2 ** 31)}`
  const bytes = mutate(dicomFile({ elements: slice({ '00080018': text('UI', uid) }) }), random, 2)
  const begin: HttpStep = {
    method: 'POST',
    path: random.isOneIn(4) ? `${root}?${printable(mutateText('organizationId=x', random))}` : root,
    headers: {
      ...protocol,
      'upload-length': random.isOneIn(3) ? random.pick(numbers) : String(bytes.length),
      'upload-metadata': random.isOneIn(6) ? printable(mutateText(metadata, random)) : metadata,
      ...(random.isOneIn(12) && { 'upload-defer-length': random.pick(numbers) }),
      ...(random.isOneIn(12) && { 'upload-concat': 'partial' }),
    },
  }
  const steps = Array.from({ length: 1 + random.below(4) }, () => toStep(random, bytes))
  // Each person may have a few unfinished uploads only.
  const end: HttpStep = { method: 'DELETE', path: '{{location}}', headers: protocol }
  return { target: 'tus', steps: [begin, ...steps, end] }
}

function toStep(random: Random, bytes: Buffer): HttpStep {
  const path = random.isOneIn(6)
    ? `${root}/${printable(mutateText('0'.repeat(32), random)).replace(/[\s#]/g, '')}`
    : '{{location}}'
  if (random.isOneIn(5)) return { method: random.pick(['HEAD', 'DELETE', 'OPTIONS', 'GET']), path, headers: protocol }
  const from = random.isOneIn(2) ? 0 : random.below(bytes.length + 1)
  const body = bytes.subarray(from)
  return {
    method: 'PATCH',
    path,
    headers: {
      ...protocol,
      'content-type': random.isOneIn(6) ? 'text/plain' : 'application/offset+octet-stream',
      'upload-offset': random.isOneIn(4) ? random.pick(numbers) : String(from),
      ...(random.isOneIn(6) && { 'upload-checksum': 'sha1 eA==' }),
    },
    body: body.toString('base64'),
    ...(random.isOneIn(4) && { cutAt: random.below(body.length + 1) }),
  }
}
