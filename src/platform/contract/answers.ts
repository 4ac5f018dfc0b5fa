/** For an operation that creates, or changes what is there already: this is what was there. Answered with 200. */
export class Updated<Resource> {
  readonly resource: Resource
  constructor(resource: Resource) {
    this.resource = resource
  }
}

/** For an operation that answers a file. */
export class FileAnswer {
  readonly mediaType: string
  /** Changes whenever the file would. */
  readonly version: string
  /** Called only when the caller does not have this version already. */
  readonly make: () => Buffer | string

  constructor(mediaType: string, version: string, make: () => Buffer | string) {
    this.mediaType = mediaType
    this.version = version
    this.make = make
  }
}
