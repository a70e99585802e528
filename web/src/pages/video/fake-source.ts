/** Test helper: a `MediaSource`, which the test's DOM lacks. */

/** The source is open from the start and never receives data. */
export class Source extends EventTarget {
  static isTypeSupported = () => true;
  readyState = 'open';
  duration = NaN;
  sourceBuffers = [];
  constructor() {
    super();
    setTimeout(() => this.dispatchEvent(new Event('sourceopen')));
  }
  endOfStream(): void {
    this.readyState = 'ended';
  }
}
