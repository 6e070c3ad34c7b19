import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, atMost, exact, maybe, organizationName } from '../fields.ts'
import { limits } from '../limits.ts'
import { ScanRow } from './entities.ts'
import { byId, ofOrganization } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/** 3.14, 5.12: the form of the batch transfer. */
export const TransferForm = exact({
  dstOrganizationName: organizationName(() => 'Please enter an organization name.'),
  anonymize: v.boolean('Must be true or false.'),
})
export type TransferForm = v.InferOutput<typeof TransferForm>

/** A study, a trial: its transfers give one person one pseudonym. */
export const ProjectName = v.pipe(
  v.string('The project must be text.'),
  v.trim(),
  v.maxLength(limits.projectNameMaxChars, () => atMost(limits.projectNameMaxChars)),
)

export const transferStates = ['Queued', 'Running', 'Done', 'Failed'] as const

/**
 * The result of one scan of a transfer: `description` of the original series, `message` with the reason of a failure
 * or a hint.
 */
export const TransferResult = v.object({
  seriesUID: Text,
  description: Text,
  newSeriesUID: maybe(Text),
  state: v.picklist(transferStates, 'A state.'),
  message: maybe(Text),
  /** The sender stopped the transfer before it arrived; absent where not, and where the server is of before. */
  isStopped: v.optional(v.boolean('Yes or no.')),
  images: Numeric,
  imagesDone: Numeric,
  /** Where it waits until somebody has looked at its pictures: which wait (`listHeld`), and how many pictures. */
  held: v.optional(v.object({ id: Uuid, pictures: Numeric })),
})

/** A batch transfer, a job in the background. */
export const Transfer = v.object({
  id: Uuid,
  createdDate: Instant,
  finishedDate: maybe(Instant),
  /** Nothing of it is sent before so many seconds have passed; absent where it does not wait for that. */
  leavesInSeconds: v.optional(Numeric),
  state: v.picklist(transferStates, 'A state.'),
  dstOrganizationName: Text,
  anonymize: v.boolean('Yes or no.'),
  /** Whose pseudonyms it uses; null for pseudonyms of its own. */
  project: v.optional(maybe(Text)),
  scans: v.array(TransferResult, 'A list.'),
})
export type Transfer = v.InferOutput<typeof Transfer>

/** 3.14: a region to transfer to. */
export const TransferRegion = v.object({ id: Uuid, name: Text, transferEndpoint: Text })
export type TransferRegion = v.InferOutput<typeof TransferRegion>

/** 7.38, 3.14: `organizationId` is where the scans are now. Runs in the background. */
export const transfer = endpoint({
  method: 'POST',
  path: '/Scan/transfer/:organizationId',
  summary: 'Copy scans to another organization in the background, de-identified when anonymize is on.',
  needs: may('Scan', 'Transfer'),
  params: ofOrganization,
  body: exact({
    ...TransferForm.entries,
    /** Only with anonymize; a name that the organization does not have begins a new project. */
    project: v.optional(v.pipe(ProjectName, v.nonEmpty('Please enter the name of the project.'))),
    scans: v.pipe(
      v.array(exact({ studyUID: Uid, seriesUID: Uid }), 'The scans must be a list.'),
      v.minLength(1, 'Choose at least one scan.'),
      v.maxLength(limits.scansAtOnce, `Transfer at most ${limits.scansAtOnce} scans at once.`),
    ),
  }),
  answer: Transfer,
})

/**
 * Not in the specification: the second step of a transfer shows the organization's name. Unknown and deactivated ones
 * get the same answer.
 */
export const findDestination = endpoint({
  method: 'GET',
  path: '/Scan/findDestination',
  summary: 'The organization that a transfer to this name would reach.',
  needs: may('Scan', 'Transfer'),
  // `organizationId` is where the scans are; the viewer's where it is absent.
  query: exact({ name: TransferForm.entries.dstOrganizationName, organizationId: v.optional(Uuid) }),
  answer: v.object({ name: Text }),
})

/** Not in the specification: progress and results of the viewer's transfers, newest first. */
export const listTransfers = endpoint({
  method: 'GET',
  path: '/Scan/listTransfers',
  summary: 'Transfers that the viewer started, newest first.',
  needs: may('Scan', 'Transfer'),
  answer: v.array(Transfer, 'A list.'),
})

/** Not in the specification: what a transfer is of, by patient, and where it lies; without what is deleted since. */
export const listTransferScans = endpoint({
  method: 'GET',
  path: '/Scan/listTransferScans',
  summary: 'The scans of a transfer that the viewer started, as lists show them.',
  needs: may('Scan', 'Transfer'),
  query: byId,
  answer: v.object({ organizationId: Uuid, scans: v.array(ScanRow, 'A list.') }),
})

/**
 * Not in the specification: ends a transfer of the viewer that is under way. Scans that have arrived stay with their
 * new organization.
 */
export const stopTransfer = endpoint({
  method: 'PUT',
  path: '/Scan/stopTransfer/:id',
  summary: 'Stop a transfer that is under way: what has not arrived does not.',
  needs: may('Scan', 'Transfer'),
  params: byId,
  answer: Transfer,
})

/** A project of an organization, for transfers whose pseudonyms are to be the same. */
export const TransferProject = v.object({ id: Uuid, name: Text, createdDate: Instant })
export type TransferProject = v.InferOutput<typeof TransferProject>

/** Not in the specification: the projects to choose from, by name. */
export const listTransferProjects = endpoint({
  method: 'GET',
  path: '/Scan/listTransferProjects/:organizationId',
  summary: 'Projects whose transfers give one person one pseudonym.',
  needs: may('Scan', 'Transfer'),
  params: ofOrganization,
  answer: v.array(TransferProject, 'A list.'),
})

/**
 * Not in the specification: the elements that a transfer removed, by which rule, and those that need a person's
 * review.
 */
export const getTransferReport = endpoint({
  method: 'GET',
  path: '/Scan/getTransferReport',
  summary: 'Proof report of a de-identified transfer.',
  needs: may('Scan', 'Transfer'),
  query: byId,
  answer: v.object({ text: Text }),
})

/** 7.38: the regions to transfer to. */
export const getTransferRegions = endpoint({
  method: 'GET',
  path: '/Scan/getTransferRegions',
  summary: 'Regions that scans can be transferred to.',
  needs: may('Scan', 'Transfer'),
  answer: v.array(TransferRegion, 'A list.'),
})
