/** What the uploader itself says of files, in one word; the words of the server are in upper case, too. */
export const ownCodes = {
  lost: 'LINE_LOST',
  empty: 'EMPTY_FILE',
  damaged: 'DAMAGED_FILE',
  unreadable: 'UNREADABLE_FILE',
  named: 'NOT_DEIDENTIFIED',
  noRoom: 'NOT_COPIED_ROOM',
  brokenCopy: 'NOT_COPIED_BROKEN',
  noName: 'NOT_COPIED_NAME',
} as const
