import { story } from '../testing/story/story.ts'

// Not what depends on whether this checkout has built the uploader.
const open = [
  '/healthz',
  '/readyz',
  '/.well-known/security.txt',
  '/api/openapi.json',
  '/api/docs',
  '/dev/mail',
  '/nowhere',
  '/api/nowhere',
  '/viewer/',
]

story('What everybody may open', import.meta.url, async ({ asks, people }) => {
  for (const url of open) await asks(url, undefined, { url })
  await asks('A page of DICOMweb without a session.', undefined, { url: '/dicom-web/studies' })
  await asks('What DICOMweb can.', people.staff, { method: 'OPTIONS', url: '/dicom-web/' })
  await asks('A launch without a cookie.', undefined, { url: '/launch' })
})
