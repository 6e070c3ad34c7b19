import { personName } from '@dmp/kit'
import type { Conflict, ConflictKind } from '@dmp/contract/scan'

/** What contradicts, in a few words. */
export const kindLabels: Readonly<Record<ConflictKind, string>> = {
  OtherPatient: 'Another patient in a study',
  OtherStudy: 'One series in two studies',
  OtherContent: 'Two images with one UID',
}

/** The machine by its own name, as on the page of a result; otherwise the person. */
export const getSender = ({ sender, sentByUser }: Conflict): string | null =>
  sender ?? (sentByUser && personName(sentByUser))

interface Words {
  readonly fact: string
  readonly steps: readonly string[]
}

const compare = (): string => 'Compare the two sides, and ask whoever made the images which one is right.'

const sayRefused = (): Readonly<Record<ConflictKind, Words>> => ({
  OtherPatient: {
    fact: 'The study is stored as one patient’s. The images that arrived name another patient, and were refused.',
    steps: [
      compare(),
      'If the arrived images name the wrong patient, correct it where they were made, and send them again.',
      'If they belong to a study of their own, give them a study UID of their own where they were made, and send them again.',
      'If the stored images are the wrong ones, delete their scans. Then send the others again: they are no longer refused.',
    ],
  },
  OtherStudy: {
    fact: 'The series is stored in one study. The images that arrived name another study for it, and were refused.',
    steps: [
      compare(),
      'If the images belong to the stored series, correct their study UID where they were made, and send them again.',
      'If they are a series of their own, give them a series UID of their own where they were made, and send them again.',
      'If the stored series is the wrong one, delete it. Then send the others again: they are no longer refused.',
    ],
  },
  OtherContent: {
    fact: 'An image with this UID is stored. The image that arrived has the same UID and other content, and was refused.',
    steps: [
      compare(),
      'If the stored image is right, nothing is left to do.',
      'If the arrived image is right, delete the stored series, and send the whole series again.',
      'If both are right, the device gave one UID twice: tell its maker, and send the second image with a UID of its own.',
    ],
  },
})

const sayMerged = (): Readonly<Record<ConflictKind, Words>> => ({
  OtherPatient: {
    fact: 'The study holds series of two patients. Both are stored: earlier versions of this product did not refuse them.',
    steps: [
      compare(),
      'Download the series that does not belong there, and delete it here.',
      'Correct the patient or the study UID where it was made, and send it again.',
    ],
  },
  OtherStudy: {
    fact: 'The series holds images that name two studies. All are stored, and counted with the first study: earlier versions of this product did not refuse them.',
    steps: [
      compare(),
      'Download the series, and delete it here.',
      'Give the images of the other study a series UID of their own where they were made, and send both again.',
    ],
  },
  OtherContent: sayRefused().OtherContent,
})

/** What happened, and what an administrator can do about it. */
export const getWords = ({ kind, isStored }: Conflict): Words => (isStored ? sayMerged() : sayRefused())[kind]
