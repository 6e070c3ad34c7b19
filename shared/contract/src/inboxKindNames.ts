import * as v from 'valibot'

export const inboxKindNames = [
  'ScanArrived',
  'TransferReceived',
  'TransferDone',
  'ShareOpened',
  'ComplaintMade',
  'ComplaintChanged',
  'ComplaintAssigned',
  'ComplaintAnswered',
  'RegistrationWaiting',
  'ReleaseWithdrawn',
  'NewSignIn',
  'ScanConflict',
  'AccessAlert',
  'ExportReady',
  'ImportOver',
] as const
export const InboxKind = v.picklist(inboxKindNames, `A kind is one of: ${inboxKindNames.join(', ')}.`)
export type InboxKind = v.InferOutput<typeof InboxKind>
