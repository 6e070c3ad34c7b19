import type { LimitedRoute } from '../../core/rateLimits.ts'

/** Resumable uploads (tus 1.0.0), each request once: routing and the API document are made of this table. */

export const uploadsRoot = '/api/Scan/uploads'
export const tusVersion = '1.0.0'
export const offsetType = 'application/offset+octet-stream'
/** An upload that is not continued within this time is forgotten. */
export const uploadExpiryHours = 24

/** Headers of requests and answers, by what they say. */
export const tusHeaders = {
  'Tus-Resumable': `the version of the protocol: ${tusVersion}`,
  'Upload-Length': 'bytes of the whole file; needed, unless Upload-Defer-Length is sent',
  'Upload-Defer-Length': '1: the length is told later',
  'Upload-Offset': 'bytes that have arrived already',
  'X-HTTP-Method-Override': 'HEAD, PATCH or DELETE, where a proxy lets only GET and POST through',
  Location: 'the address of the upload',
  'Upload-Expires': 'when the upload is forgotten, unless it goes on',
  'Tus-Version': 'the versions that the server speaks',
  'Tus-Extension': 'the extensions that the server has',
  'Tus-Max-Size': 'bytes of the largest file',
} as const
export type TusHeader = keyof typeof tusHeaders

export interface TusService {
  readonly method: 'POST' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly title: string
  readonly limit: LimitedRoute
  /** Everybody may ask; the others need the right to what is uploaded. */
  readonly isForEverybody?: true
  /** Headers that it needs, and those that it takes. */
  readonly needs: readonly TusHeader[]
  readonly takes?: readonly TusHeader[]
  /** It may carry bytes of the file. */
  readonly hasBody?: true
  readonly status: 200 | 201 | 204
  /** Headers of the answer. */
  readonly answers: readonly TusHeader[]
  readonly note?: string
}

const upload = `${uploadsRoot}/:id`
const lastByte =
  'The last byte is answered when the object is stored: by 204, or 422 and why where it is refused; to whoever accepts ' +
  'application/dicom+json by 201 or 409, with the answer of STOW-RS.'

export const tusServices: readonly TusService[] = [
  {
    method: 'POST',
    path: uploadsRoot,
    title: 'Begin a resumable upload, with or without its first bytes',
    limit: 'begin an upload',
    needs: ['Tus-Resumable'],
    takes: ['Upload-Length', 'Upload-Defer-Length'],
    hasBody: true,
    status: 201,
    answers: ['Location', 'Upload-Expires', 'Upload-Offset'],
    note: `Upload-Metadata is not kept. An upload that does not go on is forgotten after ${uploadExpiryHours} hours. ${lastByte}`,
  },
  {
    method: 'OPTIONS',
    path: uploadsRoot,
    title: 'What resumable uploads can do here',
    limit: 'continue an upload',
    isForEverybody: true,
    needs: [],
    status: 204,
    answers: ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
  },
  {
    method: 'HEAD',
    path: upload,
    title: 'How much of an upload has arrived',
    limit: 'continue an upload',
    needs: ['Tus-Resumable'],
    status: 200,
    answers: ['Upload-Offset', 'Upload-Length', 'Upload-Expires'],
  },
  {
    method: 'PATCH',
    path: upload,
    title: 'Send the next bytes of an upload',
    limit: 'continue an upload',
    needs: ['Tus-Resumable', 'Upload-Offset'],
    takes: ['Upload-Length'],
    hasBody: true,
    status: 204,
    answers: ['Upload-Offset', 'Upload-Expires'],
    note: lastByte,
  },
  {
    method: 'DELETE',
    path: upload,
    title: 'Forget an upload',
    limit: 'continue an upload',
    needs: ['Tus-Resumable'],
    status: 204,
    answers: [],
  },
  {
    method: 'POST',
    path: upload,
    title: 'HEAD, PATCH or DELETE of an upload, where a proxy lets only GET and POST through',
    limit: 'continue an upload',
    needs: ['Tus-Resumable', 'X-HTTP-Method-Override'],
    takes: ['Upload-Offset', 'Upload-Length'],
    hasBody: true,
    status: 204,
    answers: ['Upload-Offset', 'Upload-Expires'],
    note: 'Answered like the method that it stands for.',
  },
]

const archive = '/api/Organization/imports/:id'

/** Exported archives: where an import has its address, and what it is of, is said when it is started. */
export const tusOfImports: readonly TusService[] = [
  {
    method: 'OPTIONS',
    path: archive,
    title: 'What uploads of archives can do here',
    limit: 'continue an upload',
    isForEverybody: true,
    needs: [],
    status: 204,
    answers: ['Tus-Resumable', 'Tus-Version', 'Tus-Max-Size'],
  },
  {
    method: 'HEAD',
    path: archive,
    title: 'How much of an archive has arrived',
    limit: 'continue an upload',
    needs: ['Tus-Resumable'],
    status: 200,
    answers: ['Upload-Offset', 'Upload-Length'],
  },
  {
    method: 'PATCH',
    path: archive,
    title: 'Send the next bytes of an archive',
    limit: 'continue an upload',
    needs: ['Tus-Resumable', 'Upload-Offset'],
    hasBody: true,
    status: 204,
    answers: ['Upload-Offset'],
    note: 'With the last byte the import begins; Organization/listImports tells how far it is.',
  },
]
