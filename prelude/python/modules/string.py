# `string`

ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
whitespace = " \t\n\r\x0b\x0c"


class Template:
    def __init__(self, template):
        self.template = template

    def substitute(self, *mappings, **kwargs):
        values = {}
        for mapping in mappings:
            values.update(mapping)
        values.update(kwargs)
        text = self.template
        for name, value in values.items():
            text = text.replace("${" + name + "}", str(value)).replace("$" + name, str(value))
        return text

    safe_substitute = substitute


def capwords(text):
    return " ".join([word.capitalize() for word in text.split()])
