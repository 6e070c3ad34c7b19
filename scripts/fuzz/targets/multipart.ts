import { dicomFile, slice, text } from '../../../server/src/dicom/testing/dicomFile.ts'
import { stowBody } from '../../../server/src/testing/stow.ts'
import type { FuzzCase } from '../FuzzCase.ts'
import { mutate, mutateText } from '../mutate.ts'
import type { Random } from '../Random.ts'

const types = [
  'multipart/related; type="application/dicom"; boundary=a-boundary-of-the-tests',
  'multipart/related; boundary="a-boundary-of-the-tests"',
  'multipart/related; type="application/dicom"; boundary=',
  'multipart/related; type="application/dicom"; boundary=-',
  `multipart/related; type="application/dicom"; boundary=${'b'.repeat(300)}`,
  'multipart/form-data; boundary=a-boundary-of-the-tests',
  'application/dicom',
] as const

const object = (random: Random): Buffer =>
  dicomFile({ elements: slice({ '00080018': text('UI', `1.2.48.${random.below(2 ** 31)}.${random.below(2 ** 31)}`) }) })

/** Bodies in parts, broken between and inside the parts; every other line breaks before its end. */
export function multipart(random: Random): FuzzCase {
  const objects = Array.from({ length: 1 + random.below(4) }, () => object(random))
  const { payload } = stowBody(objects, random.pick(['application/dicom', 'text/plain', 'application/dicom; x="']))
  const body = mutate(payload, random, 4)
  const type = random.isOneIn(3) ? printable(mutateText(random.pick(types), random, 2)) : types[0]
  return {
    target: 'multipart',
    steps: [
      {
        method: 'POST',
        path: random.isOneIn(3) ? '/dicom-web/studies/1.2.3' : '/dicom-web/studies',
        headers: { authorization: 'Bearer {{token}}', 'content-type': type },
        body: body.toString('base64'),
        ...(random.isOneIn(2) && { cutAt: random.below(body.length + 1) }),
      },
    ],
  }
}

/** What a header can hold: other characters a client cannot even send. */
export const printable = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
