import { listTransferSyntaxes } from '@dmp/dicom/transferSyntaxes'
import { listGreyModalities, listModalitiesWithText } from '../../dicom/burnedIn.ts'
import { canDecode } from '../../dicom/sampleLayout.ts'
import { describeNode } from '../dicomNode/dimseStatement.ts'
import { formatOffer } from './acceptedTypes.ts'
import { formatKeyPath } from './capabilities.ts'
import { queryKeys, type QueryLevel } from './queryKeys.ts'
import { parameters, root, serviceList, type Service } from './dicomwebServices.ts'

/** docs/conformance.md: what the server promises other software, in the shape of PS3.2, made of its own tables. */

const code = (text: string): string => `\`${text}\``
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`
const table = (titles: readonly string[], rows: readonly string[][]): string =>
  [row(...titles), `|${'---|'.repeat(titles.length)}`, ...rows.map((cells) => row(...cells))].join('\n')

const toTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')

function writeService([, service]: readonly [string, Service]): string {
  const { title, section, method, paths, action, takes = [], answers, note } = service
  const facts = [
    ['Section of PS3.18', section],
    ['Request', paths.map((path) => code(`${method} ${toTemplate(path)}`)).join('<br>')],
    ['Permission', code(`Scan/${action}`)],
    ...(takes.length === 0 ? [] : [['Takes', takes.map((offer) => code(formatOffer(offer))).join('<br>')]]),
    ...(answers.length === 0 ? [] : [['Answers', answers.map((offer) => code(formatOffer(offer))).join('<br>')]]),
    ['Parameters', service.parameters.map(code).join(', ')],
    ...(note === undefined ? [] : [['Note', note]]),
  ]
  return `### ${title}\n\n${table(['', ''], facts)}`
}

const levels: readonly QueryLevel[] = ['studies', 'series', 'instances']

const keyTable = (): string =>
  table(
    ['attribute', 'tag', 'searches for', 'by the standard'],
    queryKeys.map(({ path, level, isRequired }) => [
      code(formatKeyPath(path)),
      code(path),
      levels.slice(levels.indexOf(level)).join(', '),
      isRequired ? 'required' : 'optional',
    ]),
  )

const syntaxTable = (): string =>
  table(
    ['transfer syntax', 'stored', 'as explicit little endian', 'media type of its frames'],
    listTransferSyntaxes().map(({ uid, isEncapsulated, mediaType }) => [
      code(uid),
      'yes',
      !isEncapsulated || canDecode(uid) ? 'yes' : 'no',
      code(mediaType),
    ]),
  )

/** What is held back, as `dicom/burnedIn.ts` has it, and what a copy says. */
const deidentifiedCopies = (): readonly string[] => [
  '## 7. De-identified copies',
  'Scans are copied to another organization after the Basic Application Level Confidentiality Profile (PS3.15 annex E) ' +
    'and beyond it. A picture is held back, and its series with it, until somebody has looked at it, when',
  [
    '- Burned In Annotation (0028,0301) is YES;',
    '- it is a video;',
    '- Image Type (0008,0008) names a screen, a capture, a print, a report, dose information or a protocol, or Conversion ' +
      'Type (0008,0064) is DV, DF, SD, SI or DRW, whatever Burned In Annotation says;',
    '- Burned In Annotation is not NO, and the SOP class is a secondary capture, ultrasound, X-ray angiography or ' +
      `fluoroscopy, or visible light, or Modality (0008,0060) is one of ${listModalitiesWithText().join(', ')};`,
    '- Burned In Annotation is not NO, and it is in colour though its modality ' +
      `(${listGreyModalities().join(', ')}) makes grey pictures.`,
  ].join('\n'),
  'A picture that was looked at has Burned In Annotation NO, and the Clean Pixel Data Option (113101) in its ' +
    'De-identification Method Code Sequence. Rectangles that were blackened make it DERIVED with a Derivation ' +
    'Description; other pixels keep their values, and compressed ones become RLE Lossless. Other pictures are not ' +
    'checked for text. Encapsulated documents are refused.',
]

const sections = (): readonly string[] => [
  '# DICOM Conformance Statement',
  'Made from `server/src/modules/dicomweb/dicomwebServices.ts` by `npm run check -- --fix`; a check fails when it is out of ' +
    'date. A running server tells the same by `OPTIONS /dicom-web` (WADL or JSON).',
  '## 1. Overview',
  'The Data Management Platform stores DICOM objects, finds them and gives them back through DICOMweb (PS3.18, ' +
    `retrieved under ${code(root)}). It is an origin server for studies: STOW-RS, QIDO-RS and WADO-RS. It offers ` +
    'neither WADO-URI nor UPS-RS. Where the operator turns its DICOM node on, it speaks DIMSE as well (section 8).',
  '## 2. Services',
  ...serviceList.map(writeService),
  '### Parameters',
  table(
    ['parameter', 'meaning'],
    Object.entries(parameters).map(([name, about]) => [code(name), about]),
  ),
  'An address takes the parameters of its table and no others: an unknown one is refused with 400, never ignored.',
  '## 3. Matching keys',
  keyTable(),
  [
    '- Attributes are named by keyword or tag, those of sequences with a point between (`RequestAttributesSequence.…`).',
    '- A key that is not in the table is refused with 400 (`NOT_MATCHED`), because ignoring it would answer everything.',
    '- A key without a value, or with `*` alone, matches everything and adds the attribute to the answer.',
    '- Text matches with `*` and `?`. Names match in any case, in the alphabetic, ideographic or phonetic spelling; ' +
      'with `=` each group matches its own.',
    '- Dates and times match alone or as ranges, each for itself. Lists of UIDs and codes are separated by commas.',
    '- An answer holds at most 1,000 results; a Warning says when there may be more.',
  ].join('\n'),
  '## 4. Media types and transfer syntaxes',
  'What is asked for comes, or 406. Without a preference the first form of each table is answered, objects and frames ' +
    'as they are stored (PS3.18 would make explicit little endian the default: here the bytes stay as they came). ' +
    'Answers of several objects of which only some are available in an accepted transfer syntax have status 206.',
  syntaxTable(),
  'Objects in any other transfer syntax are refused (failure reason C122H or C000H), as are objects whose structure is ' +
    'broken. Metadata and answers of searches are DICOM JSON; XML is not offered.',
  '## 5. Storing',
  [
    '- Every SOP class is stored. Objects keep their bytes; nothing is coerced.',
    '- 200 when all were stored, 202 when some were, 409 when none was; each failure has a Failure Reason (0008,1197) ' +
      'and a sentence (0000,0902).',
    '- The same object again is a success with Warning Reason B007H; another one with the same SOP Instance UID fails ' +
      'with 0111H, and the stored one stays. An object whose study is stored as another patient’s, or whose series in ' +
      'another study, fails with 0110H.',
    '- Boundaries of multipart bodies have up to 200 characters. Bodies have no Content-Encoding.',
  ].join('\n'),
  '## 6. Networking, security and character sets',
  [
    '- HTTP/1.1 with TLS at a proxy in front; a session by `Authorization: Bearer …`.',
    '- Requests from pages of other origins are refused, except of those that `DMP_DICOMWEB_ORIGINS` names.',
    '- `HEAD` answers like `GET` without a body. Objects, metadata, frames and bulk data have an `ETag`, and ' +
      '`If-None-Match` is answered with 304.',
    '- Text is read in every character set of PS3.3 C.12.1.1.2 that the standard defines for ISO 2022, Unicode and ' +
      'GB18030, and answered as UTF-8.',
    '- Every access is recorded ([security](security.md)).',
  ].join('\n'),
  ...deidentifiedCopies(),
  ...describeNode(),
]

export const writeConformanceStatement = (): string => `${sections().join('\n\n')}\n`
