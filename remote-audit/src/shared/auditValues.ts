import { findWord, formatName } from './formatName.ts'

/** Values of a field that are words of the record, and neither names nor numbers. */
const valueWords: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  'wrong password': 'Wrong password',
  'address known': 'Address already in use',
  'transfer failed': 'Transfer failed',
  'verification code sent': 'Verification code sent',
  'new password required': 'New password required',
  'first sign-in': 'First sign-in',
  begun: 'Begun',
  ended: 'Ended',
  over: 'Over',
  'under way': 'Under way',
  whole: 'Whole',
  added: 'Added',
  renamed: 'Renamed',
  removed: 'Removed',
  all: 'All',
  own: 'Own',
  Send: 'Send',
  LeaveOut: 'Leave out',
  Off: 'Off',
  Here: 'In the product',
  AtOnce: 'By mail at once',
  Daily: 'By mail every day',
  super_admin: 'Super Administrator',
  sys_admin: 'System Administrator',
  admin: 'Administrator',
  staff: 'Staff',
  service_user: 'Service User',
  success: 'Success',
  refused: 'Refused',
  hidden: 'Hidden',
  studies: 'Studies',
  series: 'Series',
  instances: 'Images',
}

/** `true` as "Yes"; what people typed, and numbers, as they are. */
export const formatFieldValue = (value: string): string => findWord(valueWords, value) ?? value

const kindWords: Readonly<Record<string, string>> = {
  OtherPatient: 'Another patient in a study',
  OtherStudy: 'One series in two studies',
  OtherContent: 'Two images with one UID',
  SeriesCreated: 'Series created',
  SeriesGrown: 'Series grown',
  SeriesQuiet: 'Series quiet',
  SeriesReduced: 'Series reduced',
  SeriesShared: 'Series shared',
  SeriesTransferred: 'Series transferred',
  SeriesDeleted: 'Series deleted',
}

/** `SeriesShared, OtherPatient`: codes of what there are several kinds of, each in words. */
export const formatKinds = (value: string): string =>
  value
    .split(', ')
    .map((code) => findWord(kindWords, code) ?? formatName(code))
    .join(', ')
