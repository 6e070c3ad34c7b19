import { listTransferSyntaxes } from '@dmp/dicom/transferSyntaxes'
import {
  dimseLimits,
  implementationClassUID,
  implementationVersionName,
  storageCommitment,
  verification,
} from '@dmp/dimse'
import { keyLimits } from '../../dicom/readDataset.ts'
import { listQueryClasses } from './presentation.ts'

const code = (text: string): string => `\`${text}\``
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`

const commands = { find: 'C-FIND', move: 'C-MOVE', get: 'C-GET' } as const

/** What docs/conformance.md says of the DICOM node, made of its own tables. */
export const describeNode = (): readonly string[] => [
  '## 8. The DICOM node (DIMSE)',
  'Off unless `DMP_DICOM_PORT` or `DMP_DICOM_TLS_PORT` is set. Each organization is called by an AE title of its own, ' +
    'which the page DICOM partners shows; a partner is let in by its AE title together with its address, its ' +
    'certificate, or both.',
  [
    row('SOP class', 'service', 'role', 'transfer syntaxes'),
    '|---|---|---|---|',
    row(code(verification), 'C-ECHO', 'SCP', 'explicit and implicit little endian'),
    row(
      `${code('1.2.840.10008.5.1.4.1.1.*')} and private ones`,
      'C-STORE',
      'SCP; SCU for C-MOVE and C-GET',
      `all ${listTransferSyntaxes().length} of section 4; the first of a context that is stored here`,
    ),
    ...listQueryClasses().map(([uid, command]) =>
      row(code(uid), commands[command], 'SCP', 'explicit and implicit little endian'),
    ),
    row(code(storageCommitment), 'N-ACTION, N-EVENT-REPORT', 'SCP', 'explicit and implicit little endian'),
  ].join('\n'),
  [
    '- C-STORE is answered when the object is synced and its row committed: 0000H, also for the same object again; ' +
      '0111H for another one with the same SOP Instance UID, 0110H where its study is stored as another patient’s, its ' +
      'series in another study, or the server failed, 0118H for another SOP class than that of its context, 0122H for ' +
      'a DICOMDIR, 0124H without the service, A700H without room or with too much under way, A900H or C000H for one ' +
      'that is none. The Error Comment (0000,0902) says why in whole sentences, and names no patient.',
    '- Storage commitment is reported at once, on the same association; on a new one to the host of the partner where ' +
      'the partner has ended the first. A report that cannot be delivered is not tried again: ask anew.',
    '- C-FIND takes the levels STUDY, SERIES and IMAGE, relational, with the matching keys of section 3; the Patient Root ' +
      'also PATIENT, with the name, the ID and its issuer, birth date and sex of the latest study. Any other key ' +
      'with a value is refused with A900H. Answers are in ISO_IR 192 where they have more than ASCII; 20,000 at most.',
    '- C-MOVE sends to active partners of the same organization alone, in the stored transfer syntax, or in explicit ' +
      'little endian where the receiver takes no other; an unknown destination is A801H; one that leaves or is ' +
      'disabled meanwhile A702H. C-GET sends in explicit ' +
      'little endian where a context offers it. At the level PATIENT one patient ID names all studies, ' +
      '1,000 at most. C-CANCEL is heeded between two answers.',
    '- SCP/SCU role selection is negotiated. Asynchronous operations, extended negotiation and user identity are not.',
    `- PDUs have ${dimseLimits.pduBytes} bytes at most; ${dimseLimits.contexts} contexts. Refusals of an association: ` +
      'called AE title not recognized (1, 1, 7), calling AE title not recognized (1, 1, 3), local limit exceeded ' +
      '(2, 3, 2), temporary congestion (2, 3, 1). Broken PDUs are answered by an A-ABORT with the reason of PS3.8 9.3.8.',
    `- Application context 1.2.840.10008.3.1.1.1; implementation class UID ${implementationClassUID}, version ` +
      `${implementationVersionName}. \`DMP_DICOM_ASSOCIATIONS\` associations at a time, a quarter of them of one ` +
      `partner; an organization has no more than are left. A PDU has at most ${dimseLimits.fragmentsPerPdu} fragments, ` +
      `and the keys of a search or of a retrieval at most ${keyLimits.elements} elements. ` +
      'An association is opened only for C-MOVE and for reports of storage commitment.',
    `- Timeouts: ${dimseLimits.associateMs / 1000} s for a proposal and its answer (ARTIM); \`DMP_DICOM_IDLE_SECONDS\` ` +
      'without a sign of life, then A-ABORT.',
    '- TLS 1.2 and newer, on a port of its own; partners by authority (`DMP_DICOM_CA_FILE`) or by fingerprint.',
    '- No modality worklist, no MPPS, no printing.',
  ].join('\n'),
]
