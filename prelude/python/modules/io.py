# `io`


class StringIO:
    def __init__(self, text="", newline=None):
        self.text = text

    def write(self, text):
        self.text += text
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.text += line

    def getvalue(self):
        return self.text

    def read(self, size=-1):
        return self.text

    def readlines(self):
        return self.text.splitlines()

    def __iter__(self):
        return iter(self.text.splitlines())

    def seek(self, *args):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


BytesIO = StringIO
TextIOWrapper = StringIO
