/** What the uploader itself says of files, in one word; the words of the server are in upper case, too. */
export const ownCodes = {
  lost: 'LINE_LOST',
  ended: 'TOKEN_ENDED',
  empty: 'EMPTY_FILE',
  damaged: 'DAMAGED_FILE',
  unreadable: 'UNREADABLE_FILE',
  gone: 'FOLDER_GONE',
  named: 'NOT_DEIDENTIFIED',
  noRoom: 'NOT_COPIED_ROOM',
  brokenCopy: 'NOT_COPIED_BROKEN',
  noName: 'NOT_COPIED_NAME',
} as const
