/** What a program may make of a code. The sentence of an answer says it of the case at hand, to a person. */
export interface ErrorCodeMeaning {
  readonly statuses: readonly number[]
  readonly meaning: string
  readonly cure: string
}

const code = (statuses: readonly number[], meaning: string, cure: string): ErrorCodeMeaning => ({
  statuses,
  meaning,
  cure,
})

const anotherName = 'Choose another name.'
const askForLink = 'Ask for a new link.'
const lookAgain = 'Read it again, and decide by what it is now.'
const lookAtPictures = 'Ask for the held pictures again, look at them, and send the decision once more.'
const askOperator = 'Tell the operator; the request id finds the cause in the log.'
const sendWhole = 'Export the object again, and send it whole.'

/** Of requests as such, whatever they are about. */
const ofRequests = {
  INVALID: code(
    [400, 405, 416],
    'The request breaks a rule; `fields` names each property that does.',
    'Mend what the sentence and `fields` name.',
  ),
  BOUNDARY_TOO_LONG: code([400], 'The boundary of the multipart body is too long.', 'Choose a shorter boundary.'),
  NOT_MATCHED: code(
    [400],
    'A search names a key that is not matched, and would have answered everything.',
    'Leave the key out; the sentence lists those that are matched.',
  ),
  UNKNOWN_PARAMETER: code(
    [400],
    'The address does not take this parameter.',
    'Leave it out; the sentence lists the others.',
  ),
  NOT_SIGNED_IN: code(
    [401],
    'The session or the API token is missing, unknown, ended, expired or suspended.',
    'Sign in again, renew the session, or ask an administrator for a new API token.',
  ),
  NOT_ALLOWED: code(
    [403],
    'Who asks may not do this: the policy does not list the action, the API token lacks the scope, or the call is for ' +
      'people alone.',
    'Use an account that may, or an API token with the scope.',
  ),
  WRONG_ADDRESS: code(
    [403],
    'The API token may not be used from this network.',
    'Use it from a network that it names, or make one for this network.',
  ),
  UNKNOWN_CLIENT: code([403], 'The client id is not known.', 'Send the client id of the web application.'),
  FOREIGN_ORIGIN: code(
    [403],
    'A page of another website asks.',
    'The operator lists the origin in the settings, where that is wanted.',
  ),
  NOT_FOUND: code(
    [404, 410],
    'It does not exist, or whoever asks has no access to it; the answer does not tell which.',
    'Check address, id and organization.',
  ),
  NOT_ACCEPTABLE: code(
    [406],
    'It is not available in any of the formats or transfer syntaxes that are accepted.',
    'Accept one of those that the sentence names.',
  ),
  NO_PICTURE: code(
    [404, 406],
    'The object has no picture, or none that the server draws.',
    'Fetch the object instead of a picture.',
  ),
  TOO_SLOW: code([408], 'The request took too long to arrive.', 'Send it again; large files as resumable uploads.'),
  CHANGED_MEANWHILE: code([409], 'Somebody else changed it since it was read.', lookAgain),
  UNCHANGED: code([409], 'It is already in the state that was asked for.', 'Nothing: treat it as done.'),
  TOO_MANY: code(
    [400, 409, 503],
    'There would be more than there may be: of things of one kind, or at the same time.',
    'Remove what is not needed, or ask for less; after a 503 wait as long as Retry-After says.',
  ),
  WRONG_OFFSET: code(
    [409],
    'An upload goes on at another byte than the one that was sent.',
    'Ask with HEAD, and go on from there.',
  ),
  CURSOR_GONE: code(
    [410],
    'Changes from so long ago are not kept.',
    'Ask without `since`, search the scans once, and go on from `next`.',
  ),
  WRONG_VERSION: code([412], 'The tus protocol is spoken in another version.', 'Send Tus-Resumable: 1.0.0.'),
  TOO_LARGE: code(
    [413, 414, 422, 431],
    'Body, address, headers or object are larger than allowed.',
    'Send less at a time.',
  ),
  QUOTA: code(
    [413, 422],
    'The storage of the organization is full.',
    'Delete what is not needed, or ask the provider for more.',
  ),
  WRONG_TYPE: code([415], 'The media type of the body is not taken here.', 'Send one that the sentence names.'),
  WRONG_ENCODING: code([415], 'The body is compressed as a whole.', 'Send it without Content-Encoding.'),
  WRONG_HOST: code([421], 'The demo does not answer to this name.', 'Use an address that the sentence names.'),
  UPGRADE_NEEDED: code([426], 'The address takes WebSocket connections alone.', 'Open a WebSocket.'),
  SLOW_DOWN: code([429], 'Too many requests or tries.', 'Wait as long as Retry-After says.'),
  INTERNAL: code([500], 'Something failed that should not.', askOperator),
  NOT_OFFERED: code([501], 'This part of a protocol is not offered.', 'Do what the sentence says instead.'),
  NOT_READY: code(
    [503],
    'The server is busy, starts, stops, or waits for its database.',
    'Wait as long as Retry-After says, and send the same again.',
  ),
  NO_ROOM: code([507], 'The disk of the server is full; nothing was saved.', 'Wait, or tell the operator.'),
}

/** Of accounts, sign-ins and people. */
const ofAccounts = {
  WRONG_CREDENTIALS: code([401], 'Email or password is not correct.', 'Enter them again.'),
  WRONG_CODE: code([400, 401], 'The code is wrong or no longer valid.', 'Enter the newest code.'),
  CHALLENGE_OVER: code([401], 'This sign-in took too long or was used.', 'Sign in from the beginning.'),
  RENEWAL_FAILED: code([401], 'The session cannot be renewed any more.', 'Sign in again.'),
  WRONG_PASSWORD: code([400], 'The password is wrong.', 'Enter it again.'),
  PASSWORD_NEEDED: code(
    [400],
    'The step asks for the password once more.',
    'Send the password of whoever is signed in.',
  ),
  SAME_PASSWORD: code([400], 'The new password is the present one.', 'Choose another one.'),
  KNOWN_PASSWORD: code([400], 'The password is among those that everybody tries.', 'Choose another one.'),
  LINK_OVER: code([400], 'The mailed link is used or too old.', askForLink),
  SETUP_LINK_OVER: code([400], 'The set-up link is used or too old.', 'Make another one: npm run admin -- setup-link'),
  EMAIL_TAKEN: code([409], 'An account has this email already.', 'Use another email.'),
  ALREADY_CONFIRMED: code([409], 'The person has chosen a password already.', 'The person asks for a new password.'),
  USER_DEACTIVATED: code([409], 'The user is deactivated.', 'Activate the user first.'),
  OWN_ACCOUNT: code([409], 'Nobody deactivates the own account.', 'Ask another administrator.'),
  LAST_SUPER_ADMIN: code([409], 'It is the last super administrator.', 'Add or activate another one first.'),
  ROLE_ABOVE_OWN: code([403], 'The role is above that of whoever asks.', 'Ask somebody who has the role.'),
  ORGANIZATION_DEACTIVATED: code([409], 'The organization is deactivated: it may be read alone.', 'Activate it first.'),
  EXPORT_UNDER_WAY: code(
    [409],
    'An export of the organization is prepared already.',
    'Wait until it is ready, or end it first.',
  ),
  IMPORT_UNDER_WAY: code(
    [409],
    'An import into the organization is under way already.',
    'Wait until it is over, or end it first.',
  ),
  EXPORT_NOT_READY: code(
    [409],
    'The export has no archive: it is not ready yet, failed, was ended or is too old.',
    'Wait until it is ready, or start a new one.',
  ),
  BUILT_IN_ORGANIZATION: code(
    [409],
    'The organization of the provider stays as it is.',
    'Choose another organization.',
  ),
  DATASTORE_EXISTS: code([409], 'The organization has its storage already.', 'Nothing: treat it as done.'),
  DECIDED: code([409], 'The registration was approved or rejected already.', lookAgain),
}

/** Of what people and programs keep here. */
const ofThings = {
  NAME_TAKEN: code([409], 'Another one has this name.', anotherName),
  AE_TITLE_TAKEN: code([409], 'Another DICOM partner has this AE title.', 'Give the device another AE title.'),
  TOO_MANY_FILTERS: code([409], 'There are as many saved filters as there may be.', 'Delete one first.'),
  TOO_MANY_MESSAGES: code([409], 'The conversation is as long as it may be.', 'Make a new complaint.'),
  TOO_MANY_PROJECTS: code([409], 'There are as many projects as there may be.', 'Use one of those that are there.'),
  NOT_AN_IMAGE: code([415], 'The file is no picture of the kinds that are taken.', 'Send a picture.'),
  IMAGE_TOO_LARGE: code([413], 'The picture is larger than allowed.', 'Send a smaller one.'),
  NOT_ACTIVE: code([409], 'The webhook sends nothing at the moment.', 'Let it go on first.'),
  NO_DATASTORE: code([409], 'The organization has no storage yet.', 'Ask the provider to set it up.'),
  ARCHIVE_KEEPS: code([409], 'The archive does not let anything be deleted.', 'Ask the administrator of the archive.'),
  LEGAL_HOLD: code([409], 'A study is under legal hold.', 'Ask whoever holds it, or an administrator.'),
  HELD_BY_PROVIDER: code([403], 'The provider holds the study.', 'Ask the provider.'),
  PLACE_TAKEN: code(
    [409],
    'Something else has taken the place of a deleted scan.',
    'Delete what is stored first, if the deleted scan is the right one.',
  ),
  LINK_GONE: code([404], 'The share link is unknown, ended or expired.', 'Ask the sender for a new one.'),
  NO_DOWNLOAD: code([409], 'The sender allows looking, but no download.', 'Ask the sender.'),
  NO_UPLOADER: code([503], 'This server has no uploader for that system.', 'Tell the operator.'),
  SAME_ORGANIZATION: code([409], 'Nothing is transferred to the own organization.', 'Name another organization.'),
  NO_DESTINATION: code([404], 'No organization takes transfers under this name.', 'Choose one of the list.'),
  NOTHING_TO_PSEUDONYMIZE: code(
    [400],
    'A project gives pseudonyms to anonymized copies alone.',
    'Leave the project out, or anonymize.',
  ),
  ALREADY_DECIDED: code([409], 'Somebody decided about these pictures already.', lookAgain),
  CANNOT_MASK: code([409], 'Nothing can be hidden in one of the pictures.', 'Leave the picture out.'),
  NOT_SEEN: code([409], 'Nobody has looked at some of the pictures.', lookAtPictures),
  NOT_SHOWN: code(
    [409],
    'Some of the pictures cannot be shown here.',
    'Leave them out, or confirm that they were looked at elsewhere.',
  ),
  NO_PICTURES: code([409], 'The scan was deleted meanwhile.', 'Leave it out.'),
  PICTURES_CHANGED: code([409], 'The pictures changed since they were looked at.', lookAtPictures),
}

/** Of releases of the parts. */
const ofReleases = {
  DOES_NOT_FIT: code(
    [409],
    'The release does not fit what is live; each reason is said.',
    'Do what the sentence says, and publish anew.',
  ),
  NOT_POSSIBLE: code([409], 'The state of the part does not allow this step.', lookAgain),
  NEEDS_ANOTHER_PERSON: code([403], 'Whoever published a release does not make it live alone.', 'Ask another person.'),
  NO_RELEASE: code([404], 'The release store has no such release.', 'Choose one of the list.'),
  ONLY_REMOTES: code([422], 'A development server replaces a remote alone.', 'Name a remote.'),
}

/** Why an object is not taken in; also `reason` in the answer to each object. */
const ofObjects = {
  NOT_DICOM: code([422], 'The file is no DICOM object (PS3.10).', 'Leave it out.'),
  PREAMBLE: code([422], 'The preamble marks the file as another kind of document.', 'Export the object without it.'),
  META: code([422], 'The file meta information breaks PS3.10.', sendWhole),
  TRANSFER_SYNTAX: code([422], 'The transfer syntax is not taken.', 'Send it in one of the conformance statement.'),
  TRUNCATED: code([422], 'The object ends too early.', sendWhole),
  LENGTH: code([422], 'An element claims more bytes than there are.', sendWhole),
  VR: code([422], 'An element has an unknown value representation.', sendWhole),
  DEPTH: code([422], 'Sequences are nested too deeply.', 'Leave the sequence out.'),
  DUPLICATE_ELEMENT: code([422], 'An element occurs twice.', sendWhole),
  SEQUENCE: code([422], 'The structure of a sequence is broken.', sendWhole),
  DEFLATE: code([422], 'The deflated part is damaged or too large.', 'Send it in another transfer syntax.'),
  UID: code([422], 'A UID is missing, invalid or contradicts another.', 'Give the object valid UIDs.'),
  CHARACTER_SET: code([422], 'The text does not match its character set.', 'Declare the character set that is used.'),
  PIXEL_DATA: code([422], 'The pixel data are missing or do not match their description.', sendWhole),
  UNREADABLE: code([422], 'The elements of the object cannot be read.', sendWhole),
  DICOMDIR: code([422], 'The file is an index of a medium.', 'Leave it out; send the objects.'),
  CONFLICT: code([409, 422], 'Another object has the same UID already.', 'Give the changed object a UID of its own.'),
  OTHER_PATIENT: code(
    [409, 422],
    'The object names another patient than its study.',
    'Mend patient or study; administrators find it under Conflicts.',
  ),
  SERIES_OF_OTHER_STUDY: code(
    [409, 422],
    'The series belongs to another study already.',
    'Give the series a UID of its own.',
  ),
  OTHER_STUDY: code([409, 422], 'The object belongs to another study than the address.', 'Send it to its own study.'),
  DELETED_MEANWHILE: code(
    [409, 422],
    'The scan was deleted while the object arrived.',
    'Send it again if it is wanted.',
  ),
}

/** Of the store that objects lie in. */
const ofStores = {
  STORE_MISSING: code([404], 'The object is not in the store.', askOperator),
  STORE_TOO_LARGE: code([503], 'The object is larger than the store takes.', askOperator),
  STORE_FULL: code([507], 'The object store is full.', 'Wait as long as Retry-After says, or tell the operator.'),
  STORE_READ_ONLY: code([503], 'The object store cannot be written to.', 'Wait as long as Retry-After says.'),
  STORE_CHANGED: code([503], 'The archive holds another object with this UID, or changes what it gets.', askOperator),
  STORE_DAMAGED: code(
    [500],
    'What lies in the store was damaged.',
    'Tell the operator, who restores it from a backup.',
  ),
  STORE_LOCKED: code([500], 'The key that opens what lies in the store is missing.', askOperator),
  STORE_UNAVAILABLE: code([503], 'The object store does not answer.', 'Wait as long as Retry-After says.'),
}

/**
 * Every code that a refusal may have: the list is closed, because `Refusal` takes no other. The API document is made
 * of it.
 */
export const errorCodes = { ...ofRequests, ...ofAccounts, ...ofThings, ...ofReleases, ...ofObjects, ...ofStores }
export type ErrorCode = keyof typeof errorCodes
